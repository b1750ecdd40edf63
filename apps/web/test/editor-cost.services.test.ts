import { timeout } from "@kb/testing/chromium";
import { parseMarkdown } from "markdown-codec";
import type { CDPSession, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { drawn, openText } from "./editor-keys-page.ts";
import { type KeysPage, openKeysPage, partOfText } from "./open-keys-page.ts";

declare const writing: { readonly drawn: typeof drawn; readonly openText: typeof openText };

describe("what a letter costs in a long document", () => {
  let page: Page;
  let devtools: CDPSession;
  let close: KeysPage["close"] | undefined;
  beforeAll(async () => {
    ({ page, devtools, close } = await openKeysPage());
    await devtools.send("Performance.enable");
  });
  afterAll(() => close?.(), timeout);

  /** Returns how often the browser has computed styles. */
  const styled = async (): Promise<number> => {
    const { metrics } = await devtools.send("Performance.getMetrics");
    return metrics.find(({ name }) => name === "RecalcStyleCount")?.value ?? Number.NaN;
  };

  it.each(["p", "h2", "li p", "pre", "td p"])(
    "no style of any element is computed again for one in %s",
    { timeout },
    async (place) => {
      await page.evaluate((json) => writing.openText(json), JSON.stringify(parseMarkdown(partOfText.repeat(50))));
      const block = page.locator(`.editor ${place}`).nth(25);
      await block.click();
      await page.evaluate(() => writing.drawn());
      await page.keyboard.press("End");
      // The first key hides what the mouse shows.
      await page.keyboard.type("a");
      await page.evaluate(() => writing.drawn());
      // The browser also computes styles for reasons of its own, such as what is below the mouse: at times beside a letter.
      const costs: number[] = [];
      for (const letter of "bcdef") {
        const before = await styled();
        await page.keyboard.type(letter);
        await page.evaluate(() => writing.drawn());
        costs.push((await styled()) - before);
      }
      expect(costs).toContain(0);
      expect(await block.textContent()).toContain("abcdef");
    },
  );
});
