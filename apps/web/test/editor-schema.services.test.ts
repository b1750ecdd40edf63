import { startChromium, timeout } from "@kb/testing/chromium";
import fc from "fast-check";
import { normalize, parseMarkdown } from "markdown-codec";
import { schema as codecSchema } from "markdown-codec/schema";
import { cases, documents } from "markdown-codec/testing";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pageScript } from "./editor-page-script.ts";
import type { differencesAfterReading, showReadOnly } from "./editor-schema-page.ts";

declare const readBack: {
  readonly differencesAfterReading: typeof differencesAfterReading;
  readonly showReadOnly: typeof showReadOnly;
};

const runs = Number(process.env.KB_FUZZ_RUNS ?? 1_000);

describe("the elements of the editor", () => {
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    browser = await startChromium();
    page = await browser.newPage();
    const { script } = await pageScript("editor-schema-page.ts", "readBack");
    await page.addScriptTag({ content: script });
  });
  afterAll(() => browser?.close(), timeout);

  const differences = (contents: readonly unknown[]): Promise<string[][]> =>
    page.evaluate(
      (all) => all.map((content) => readBack.differencesAfterReading(content)),
      // As JSON, because the connection to the browser does not carry unpaired surrogates.
      contents.map((content) => JSON.stringify(content)),
    );

  it(`are read back as the document that they show, for every construct and ${runs} documents at random`, {
    meta: { proves: ["web.editor.exact"] },
    timeout: 2 * timeout,
  }, async () => {
    const constructs = cases.map(({ markdown }) => parseMarkdown(markdown));
    const seed = Number(process.env.KB_FUZZ_SEED ?? Date.now());
    const random = fc.sample(documents, { numRuns: runs, seed });
    const all = [...constructs, ...random.map((doc) => normalize(doc).doc)];
    const used = new Set(
      all.flatMap((doc) => [...JSON.stringify(doc).matchAll(/"type":"(\w+)"/g)].map(([, type]) => type)),
    );
    const known = [...Object.keys(codecSchema.nodes), ...Object.keys(codecSchema.marks)];
    expect(known.filter((name) => !used.has(name))).toEqual([]);
    const found = (await differences(all)).filter((difference) => difference.length > 0);
    expect(found.slice(0, 3), `seed ${seed}`).toEqual([]);
  });

  it("take no letters where nobody may write, in code and tables neither", {
    meta: { proves: ["web.editor.access"] },
    timeout,
  }, async () => {
    const doc = parseMarkdown("Text\n\n```\ncode\n```\n\n| a |\n| --- |\n| 1 |\n");
    await page.evaluate((json) => readBack.showReadOnly(json), JSON.stringify(doc));
    const editor = page.locator(".editor");
    const before = await editor.textContent();
    for (const block of ["p", "code", "td"]) {
      await editor.locator(block).first().click();
      await page.keyboard.type("lost");
    }
    expect(await editor.textContent()).toBe(before);
  });
});
