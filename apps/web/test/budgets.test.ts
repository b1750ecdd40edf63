import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { ensureBuilt } from "@kb/web";
import { beforeAll, describe, expect, it } from "vitest";

const folder = join(import.meta.dirname, "../dist/client");

/** The bytes of a file as browsers receive it, compressed with brotli. */
const sent = (address: string): number => statSync(join(folder, `${address}.br`)).size;

describe("the size of the built app", () => {
  let manifest: { script: string; preloads: string[]; styles: string[]; icons: string; assets: string[] };
  beforeAll(async () => {
    await ensureBuilt(() => {});
    manifest = JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8"));
  }, 120_000);

  it("the script of a first document view is at most 165 kB, its style 14 kB, the icons 4 kB", {
    meta: { proves: ["web.page.budget"] },
  }, () => {
    const chunkOf = (name: string): string => {
      const found = manifest.assets.find((file) => new RegExp(`^${name}-[\\w-]{8}\\.js$`).test(file));
      if (found === undefined) throw new Error(`The build has no chunk ${name}`);
      return `/assets/${found}`;
    };
    const scripts = new Set([manifest.script, ...manifest.preloads, chunkOf("document"), chunkOf("en")]);
    const total = (addresses: Iterable<string>): number => [...addresses].reduce((sum, each) => sum + sent(each), 0);
    expect(total(scripts)).toBeLessThanOrEqual(165_000);
    expect(total(manifest.styles)).toBeLessThanOrEqual(14_000);
    expect(sent(manifest.icons)).toBeLessThanOrEqual(4_000);
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
