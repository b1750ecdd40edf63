import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { type DocumentView, invoke, operations } from "@kb/core";
import { hostileTitles, realDocuments } from "@kb/core/testing";
import { startChromium } from "@kb/testing/chromium";
import { scriptAttempts } from "@kb/testing/script-attempts";
import axe from "axe-core";
import { HtmlValidate } from "html-validate";
import JSZip from "jszip";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { openSetting, type Setting } from "./setting.ts";

const timeout = 180_000;

/** Returns the findings of axe-core in the page. */
type Verdict = { violations: { id: string; nodes: { html: string }[] }[]; passes: unknown[] };

describe("exported pages", { timeout }, () => {
  const folder = mkdtempSync(join(tmpdir(), "kb-pages-"));
  let setting: Setting;
  let browser: Browser;
  beforeAll(async () => {
    setting = await openSetting();
    browser = await startChromium();
  }, timeout);
  afterAll(async () => {
    await browser?.close();
    await setting?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const collection = async (name: string): Promise<string> =>
    (await invoke(setting.world.service, operations.createCollection, setting.world.people.admin.actor, { name })).id;
  const make = (input: object): Promise<DocumentView> =>
    invoke(setting.world.service, operations.createDocument, setting.world.people.admin.actor, {
      publish: true,
      ...input,
    });

  const archive = async (id: string, format: string): Promise<Buffer> => {
    const headers = { Authorization: `Bearer ${setting.world.people.admin.key}` };
    const url = `http://localhost:3000/api/v1/collections.export?id=${id}&format=${format}`;
    const response = await setting.app.request(url, { headers });
    expect(response.status).toBe(200);
    return Buffer.from(await response.arrayBuffer());
  };

  /** The pages of a collection, unpacked into a folder: their files. */
  async function unpacked(id: string, name: string): Promise<string[]> {
    const zip = await JSZip.loadAsync(await archive(id, "html"));
    const files: string[] = [];
    for (const file of Object.values(zip.files)) {
      const path = join(folder, name, file.name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, await file.async("nodebuffer"));
      if (path.endsWith(".html")) files.push(path);
    }
    return files;
  }

  /** A context whose pages remember when anything of theirs runs. */
  async function wired(): Promise<BrowserContext> {
    const context = await browser.newContext({ offline: true });
    await context.addInitScript(() => {
      const tripped: string[] = [];
      const wire = (what: string) => () => {
        tripped.push(what);
        return null;
      };
      Object.assign(globalThis, { tripped, alert: wire("alert"), confirm: wire("confirm"), prompt: wire("prompt") });
    });
    return context;
  }

  /** Waits, touches everything, and tells what ran, and what stands in the page that could. */
  const dangers = (page: Page): Promise<{ ran: unknown; found: string[] }> =>
    page.evaluate(async () => {
      const elements = [...document.querySelectorAll("*")];
      for (const element of elements) {
        for (const event of ["mouseover", "click", "focus", "pointerenter", "toggle", "load", "error", "begin"]) {
          element.dispatchEvent(new Event(event, { bubbles: false, cancelable: true }));
        }
      }
      await new Promise((resolve) => setTimeout(resolve, 20));
      const found = elements.flatMap((element) => {
        const name = element.localName;
        const handlers = element.getAttributeNames().filter((attribute) => attribute.startsWith("on"));
        const address = element.getAttribute("href") ?? element.getAttribute("src") ?? "";
        const scheme = address === "" ? "" : new URL(address, document.baseURI).protocol;
        const allowed = ["", "http:", "https:", "mailto:", "file:", "tel:"].includes(scheme);
        const own = ["script", "iframe", "object", "embed", "form", "base", "link", "svg", "math", "template"];
        const refresh = name === "meta" && /refresh/i.test(element.getAttribute("http-equiv") ?? "");
        // Only what an author names; the links between the pages are relative.
        const file = /^file:/i.test(address);
        return handlers.length > 0 || !allowed || own.includes(name) || refresh || file
          ? [element.outerHTML.slice(0, 200)]
          : [];
      });
      return { ran: Reflect.get(globalThis, "tripped"), found };
    });

  const withoutPolicy = (html: string): string =>
    html.replace(/<meta http-equiv="Content-Security-Policy"[^>]*>\n/, "");

  it("none of at least 500 attempts to run a script succeeds, with or without the page's policy", {
    meta: { proves: ["decision.export.html"] },
  }, async () => {
    const attempts = scriptAttempts();
    expect(attempts.reduce((sum, { cases }) => sum + cases, 0)).toBeGreaterThanOrEqual(500);
    const id = await collection("<script>alert(1)</script>");
    for (const { title, text } of attempts)
      await make({ collectionId: id, title, text, tags: [title.replaceAll(",", "").slice(0, 60) || "x"] });
    const files = await unpacked(id, "attempts");
    expect(files).toHaveLength(attempts.length + 1);
    const context = await wired();
    const page = await context.newPage();

    const bait = join(folder, "bait.html");
    writeFileSync(bait, "<img src=x onerror=alert(1)><a href='javascript:alert(1)'>x</a>");
    await page.goto(pathToFileURL(bait).href);
    const caught = await dangers(page);
    expect(caught.ran).toContain("alert");
    expect(caught.found).toHaveLength(2);

    for (const file of files) {
      const html = readFileSync(file, "utf8");
      expect(html).toContain("default-src 'none'");
      for (const content of [html, withoutPolicy(html)]) {
        writeFileSync(file, content);
        await page.goto(pathToFileURL(file).href);
        const { ran, found } = await dangers(page);
        expect(ran, file).toEqual([]);
        expect(found, file).toEqual([]);
      }
    }
    await context.close();
  });

  it("every page is valid HTML and passes axe-core, light and dark", {
    meta: { proves: ["decision.export.html"] },
  }, async () => {
    const id = await collection("Real documents");
    const { documents: all, name } = realDocuments();
    const documents = all.filter((_, index) => index % Math.ceil(all.length / 30) === 0);
    console.log(`exported pages: ${documents.length} of ${name}`);
    for (const { path, markdown } of documents) {
      await make({ collectionId: id, title: path, text: markdown, tags: ["real"], emoji: "📄" });
    }
    const every =
      "# One {#same}\n\n## Two {#same}\n\n- [x] done\n- [ ] to do\n\n| a | b |\n|:-:|--:|\n| c | d |\n\n![](x.png) ==m== ~~s~~ H~2~O x^2^ `c`[^1]\n\n[^1]: Note.\n\n---\n\n> Quote\n";
    const parent = await make({ collectionId: id, title: "Everything", text: every, publish: false });
    for (const title of hostileTitles)
      await make({ collectionId: id, title, parentDocumentId: parent.id, text: title });
    const files = await unpacked(id, "real");
    const validator = new HtmlValidate({
      extends: ["html-validate:standard", "html-validate:document"],
      // How deep a heading stands is for the author to say.
      rules: { "heading-level": "off" },
    });
    for (const file of files) {
      const { results } = await validator.validateString(readFileSync(file, "utf8"));
      const problems = results.flatMap(({ messages }) =>
        messages.map(({ ruleId, message, line }) => `${ruleId}: ${message} (${line})`),
      );
      expect(problems, file).toEqual([]);
    }
    // The pages of hostile titles differ only in their titles.
    const real = files.filter((file, index) => !file.includes("/Everything/") || index % 10 === 0);
    const looked = { light: real, dark: real.filter((_, index) => index % 8 === 0) };
    for (const colorScheme of ["light", "dark"] as const) {
      const context = await browser.newContext({ colorScheme, bypassCSP: true, offline: true });
      const page = await context.newPage();
      for (const file of looked[colorScheme]) {
        await page.goto(pathToFileURL(file).href);
        await page.evaluate(axe.source);
        const { violations, passes } = await page.evaluate(
          (): Promise<Verdict> =>
            Reflect.get(globalThis, "axe").run({ runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"] }),
        );
        expect(passes.length).toBeGreaterThan(5);
        expect(
          violations.map(({ id: rule, nodes }) => [rule, ...nodes.map((node) => node.html.slice(0, 200))]),
          file,
        ).toEqual([]);
      }
      await context.close();
    }
  });

  it("Info-ZIP and Python open the archive, and unpack all files inside its folder", {
    meta: { proves: ["decision.export.names"] },
  }, async () => {
    const id = await collection("Hostile");
    const made: DocumentView[] = [];
    for (const title of hostileTitles) made.push(await make({ collectionId: id, title, text: title }));
    for (const parent of made.slice(0, 20))
      await make({ collectionId: id, title: "below", parentDocumentId: parent.id });
    for (const format of ["zip", "html"]) {
      const place = join(folder, `unzip-${format}`);
      const target = join(place, "one", "two");
      mkdirSync(target, { recursive: true });
      const file = join(place, "export.zip");
      writeFileSync(file, await archive(id, format));
      expect(execFileSync("unzip", ["-t", file], { encoding: "utf8" })).toContain("No errors detected");
      const script =
        "import json,sys,zipfile; z=zipfile.ZipFile(sys.argv[1]); assert z.testzip() is None; print(json.dumps(z.namelist()))";
      const names: string[] = JSON.parse(execFileSync("python3", ["-c", script, file], { encoding: "utf8" }));
      // Without a locale of UTF-8, unzip writes each other letter as six, and the names become too long.
      execFileSync("unzip", ["-q", file, "-d", target], { env: { ...process.env, LC_ALL: "C.UTF-8" } });
      const files = execFileSync("find", [place, "-type", "f"], { encoding: "utf8" }).trim().split("\n");
      expect(files).toHaveLength(names.length + 1);
      const { documents } = JSON.parse(readFileSync(join(target, "manifest.json"), "utf8"));
      const titles: string[] = documents.map(({ title }: { title: string }) => title);
      expect(titles.sort()).toEqual(
        [...hostileTitles.map((title) => title.trim()), ...Array.from({ length: 20 }, () => "below")].sort(),
      );
      for (const { path } of documents) expect(existsSync(join(target, path)), path).toBe(true);
    }
  });
});
