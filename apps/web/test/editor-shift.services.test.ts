import { realDocuments } from "@kb/core/testing";
import { formulasOfPage } from "@kb/formulas";
import { startChromium, timeout } from "@kb/testing/chromium";
import { parseMarkdown, toReadingHtml } from "markdown-codec";
import { cases } from "markdown-codec/testing";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pageScript } from "./editor-page-script.ts";
import type { shiftsOf } from "./editor-shift-page.ts";

declare const shift: { readonly shiftsOf: typeof shiftsOf };

const count = Number(process.env.KB_SHIFT_DOCUMENTS ?? 200);

describe("the layout of the editor", () => {
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    browser = await startChromium();
    page = await browser.newPage({ viewport: { width: 1_000, height: 800 } });
    const { script, style } = await pageScript("editor-shift-page.ts", "shift");
    await page.setContent("<!doctype html><html><body></body></html>");
    await page.addStyleTag({ content: style });
    await page.addScriptTag({ content: script });
  }, 120_000);
  afterAll(() => browser?.close(), timeout);

  const shiftsIn = async (markdown: string, width: number): Promise<string[]> => {
    const doc = parseMarkdown(markdown);
    const found = await page.evaluate(([json, html, inner]) => shift.shiftsOf(json, html, inner), [
      JSON.stringify(doc),
      toReadingHtml(doc, { math: formulasOfPage() }),
      width,
    ] as const);
    return found.map(({ block, reading, editing }) => `block ${block}\n  ${reading}\n  ${editing}`);
  };

  it.each([672, 288])(
    "has every block where readers see it, at %i pixels, for every construct",
    { timeout },
    async (width) => {
      const found: string[] = [];
      for (const { name, markdown } of cases) {
        const shifts = await shiftsIn(markdown, width);
        if (shifts.length > 0) found.push(`${name}: ${shifts[0]}`);
      }
      expect(found).toEqual([]);
    },
  );

  const { name, documents } = realDocuments();
  it(`has every block where readers see it, for ${count} of ${name}`, {
    meta: { proves: ["web.editor.still"] },
    timeout: 4 * timeout,
  }, async () => {
    const step = Math.max(1, Math.floor(documents.length / count));
    const found: string[] = [];
    for (const { path, markdown } of documents.filter((_, index) => index % step === 0)) {
      const shifts = await shiftsIn(markdown, 672);
      if (shifts.length > 0) found.push(`${path}: ${shifts.length} of them, ${shifts[0]}`);
    }
    expect(found).toEqual([]);
  });
});
