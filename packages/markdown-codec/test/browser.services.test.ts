import { startChromium } from "@kb/testing/chromium";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parseMarkdown, serializeMarkdown, toHtml, toPlainText } from "../src/index.ts";
import { browserBundle } from "./bundle.ts";
import { realFiles } from "./corpus.ts";

const timeout = 120_000;

/** The functions that the bundle offers to the page. */
interface Codec {
  parseMarkdown: typeof parseMarkdown;
  serializeMarkdown: typeof serializeMarkdown;
  toHtml: typeof toHtml;
  toPlainText: typeof toPlainText;
}

declare global {
  /** Set in the page by the script of the bundle. */
  var codec: Codec;
}

describe("in Chromium", () => {
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    browser = await startChromium();
    page = await browser.newPage();
    await page.addScriptTag({ content: `${await browserBundle()};globalThis.codec = codec;` });
  }, timeout);

  afterAll(() => browser?.close());

  test("the bundle reads and writes as it does in Node", { timeout }, async () => {
    const texts = realFiles()
      .slice(0, 40)
      .map((file) => file.text);
    const there = await page.evaluate((list) => {
      return list.map((text) => {
        const doc = codec.parseMarkdown(text);
        return [codec.serializeMarkdown(doc), codec.toHtml(doc), codec.toPlainText(doc), JSON.stringify(doc)];
      });
    }, texts);
    const here = texts.map((text) => {
      const doc = parseMarkdown(text);
      return [serializeMarkdown(doc), toHtml(doc), toPlainText(doc), JSON.stringify(doc)];
    });
    expect(there).toEqual(here);
  });

  test("HTML of hostile text runs nothing when a page shows it", { timeout }, async () => {
    const hostile = [
      "<img src=x onerror=alert(1)>",
      "[a](javascript:alert(1)) [b](java&#10;script:alert(1)) [c](JAVASCRIPT&colon;alert(1))",
      '[a](https://x "\\" onmouseover=alert(1)") ![" onerror=alert(1) x="](https://x)',
      "<script>alert(1)</script>\n\n</p><svg onload=alert(1)>",
      '# h {#"onclick="alert(1)}\n\n```"><script>alert(1)</script>\na\n```',
    ];
    const found = await page.evaluate((list) => {
      document.body.innerHTML = list.map((text) => codec.toHtml(codec.parseMarkdown(text))).join("");
      const elements = [...document.body.querySelectorAll("*")];
      return {
        scripts: elements.filter((element) => /^(?:script|svg|iframe|object|embed)$/i.test(element.tagName)).length,
        handlers: elements.flatMap((element) => element.getAttributeNames().filter((name) => name.startsWith("on"))),
        schemes: elements.flatMap((element) => ("protocol" in element ? [String(element.protocol)] : [])),
      };
    }, hostile);
    expect(found.scripts).toBe(0);
    expect(found.handlers).toEqual([]);
    expect(found.schemes.filter((scheme) => /javascript|vbscript|data|file/.test(scheme))).toEqual([]);
  });
});
