import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { ensureBuilt } from "@kb/web";
import { beforeAll, describe, expect, it } from "vitest";
import { AssetManifest } from "../src/build/asset-manifest.ts";

const folder = join(import.meta.dirname, "../dist/client");

/** The bytes of files as browsers receive them. */
const total = (addresses: readonly string[]): number => addresses.reduce((sum, each) => sum + sent(each), 0);

/** The bytes of a file as browsers receive it, compressed with brotli. */
const sent = (address: string): number => statSync(join(folder, `${address}.br`)).size;

/** The bytes for formulas in the first file of the editor, which its budget leaves out: a build without `formula-*.ts` has 590 fewer. */
const formulaBytes = 550;

describe("the size of the built app", () => {
  let manifest: AssetManifest;
  beforeAll(async () => {
    await ensureBuilt(() => {});
    manifest = AssetManifest.parse(JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8")));
  });

  /** The scripts of a first view of a screen in English. */
  const scriptsOf = (screen: string): string[] => {
    const { script, preloads, lazy } = manifest;
    return [...new Set([script, ...preloads, ...(lazy[screen] ?? []), ...(lazy["messages/en.ts"] ?? [])])];
  };

  it("the script of a first document view is at most 165 kB, its style 14 kB", {
    meta: { proves: ["web.page.budget"] },
  }, () => {
    expect(total(scriptsOf("client/screens/document.tsx"))).toBeLessThanOrEqual(165_000);
    expect(total(manifest.styles)).toBeLessThanOrEqual(14_000);
  });

  it("the editor is at most 90 kB besides, without formulas, and the codec for pasted Markdown is not in it", {
    meta: { proves: ["web.page.budget"] },
  }, () => {
    const known = new Set(scriptsOf("client/screens/document.tsx"));
    const editor = ["client/writing/writer.tsx", "client/editor/editor-page.tsx"].flatMap(
      (each) => manifest.lazy[each] ?? [],
    );
    const own = [...new Set(editor)].filter((address) => !known.has(address) && !/\/layers-/.test(address));
    expect(own.length).toBeGreaterThan(0);
    expect(total(own)).toBeLessThanOrEqual(90_000 + formulaBytes);
  });

  it("the codec that pasted and copied Markdown loads is at most 62 kB", {
    meta: { proves: ["web.page.budget"] },
  }, () => {
    const codec = (manifest.lazy["client/editor/copied-markdown.ts"] ?? []).filter((each) => /\/codec-/.test(each));
    expect(codec.length).toBe(1);
    expect(total(codec)).toBeLessThanOrEqual(62_000);
  });

  it("what shows formulas in the editor is at most 60 kB, which only documents with formulas load", {
    meta: { proves: ["web.page.budget"] },
  }, () => {
    const own = manifest.lazy["client/editor/shown-formula.ts"] ?? [];
    const others = new Set(
      // The codec of what is copied comes with every editor.
      ["screens/document.tsx", "writing/writer.tsx", "editor/editor-page.tsx", "editor/copied-markdown.ts"].flatMap(
        (each) => manifest.lazy[`client/${each}`] ?? [],
      ),
    );
    const further = own.filter((address) => !others.has(address));
    expect(further.length).toBeGreaterThan(0);
    expect(total(further)).toBeGreaterThan(20_000);
    expect(total(further)).toBeLessThanOrEqual(60_000);
  });

  it("a document with code in any four languages loads at most 24 kB for their colors, each language by itself", {
    meta: { proves: ["web.page.budget"] },
  }, () => {
    const core = `/assets/${manifest.assets.find((name) => /^tokens-worker-[\w-]+\.js$/.test(name))}`;
    const text = readFileSync(join(folder, core), "utf8");
    const languages = [...text.matchAll(/import\([`"']\.\/([\w-]+\.js)[`"']\)/g)].map(([, name]) => `/assets/${name}`);
    expect(new Set(languages).size).toBe(18);
    const largest = languages.map(sent).sort((one, other) => other - one);
    expect(sent(core) + largest.slice(0, 4).reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(24_000);
  });

  it("a first view of any screen loads at most 8 scripts and one style", {
    meta: { proves: ["web.page.files"] },
  }, () => {
    const screens = Object.keys(manifest.lazy).filter((source) => source.startsWith("client/screens/"));
    expect(screens.length).toBeGreaterThan(10);
    expect(screens.filter((screen) => scriptsOf(screen).length > 8)).toEqual([]);
    expect(manifest.styles).toHaveLength(1);
  });

  it("menus, dialogs, the editor, the settings and other screens are not in a first document view", () => {
    const first = new Set(scriptsOf("client/screens/document.tsx"));
    const later = [
      "screens/trash",
      "screens/settings/settings",
      "app/quick-open",
      "app/account-menu",
      "writing/writer",
    ];
    const missing = later.filter((name) =>
      (manifest.lazy[`client/${name}.tsx`] ?? []).every((file) => first.has(file)),
    );
    expect(missing).toEqual([]);
    expect([...first].filter((file) => /\/(?:layers|settings)-/.test(file))).toEqual([]);
  });

  it("the layers of the one sheet are in their order", () => {
    const sheet = readFileSync(join(folder, manifest.styles[0] ?? ""), "utf8");
    const layers = [...sheet.matchAll(/@layer ([\w, ]+)/g)].flatMap(([, names = ""]) => names.split(/,\s*/));
    expect([...new Set(layers)]).toEqual([
      "reset",
      "tokens",
      "base",
      "prose",
      "parts",
      "screens",
      "print",
      "preferences",
    ]);
  });

  it("no module writes markup or evaluates text, but for the one place that shows documents", () => {
    const sources = readdirSync(join(import.meta.dirname, "../src/client"), { recursive: true, encoding: "utf8" });
    const writers = sources
      .filter((name) => /\.tsx?$/.test(name))
      .filter((name) => {
        const text = readFileSync(join(import.meta.dirname, "../src/client", name), "utf8");
        return /innerHTML|outerHTML|insertAdjacentHTML|dangerouslySetInnerHTML|document\.write|\beval\(|new Function/.test(
          text,
        );
      });
    expect(writers).toEqual(["reading/html.ts"]);
  });
});
