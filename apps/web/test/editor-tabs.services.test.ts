import { timeout } from "@kb/testing/chromium";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { caretRead, createDocument, editorOf, markdownOf, openEditor, status, toEnd } from "./editor-setting.ts";
import { siteOfSuite } from "./site-of-suite.ts";

const site = await siteOfSuite();

/** Brings a tab to the front, or puts it behind another one. */
const show = (page: Page, isShown: boolean): Promise<void> =>
  page.evaluate((hidden) => {
    Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
    document.dispatchEvent(new Event("visibilitychange"));
  }, !isShown);

/** Counts the streams that a page has, before its scripts run. */
async function countStreams(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const all: EventSource[] = [];
    const Original = EventSource;
    Object.assign(globalThis, {
      EventSource: class extends Original {
        constructor(url: string) {
          super(url);
          all.push(this);
        }
      },
      streams: () => all.filter(({ readyState }) => readyState !== Original.CLOSED).length,
    });
  });
}
const streamsOf = (page: Page): Promise<number> => page.evaluate("streams()");

it("eight tabs of one window share the six connections of HTTP/1.1: each is loaded, written in, left and gone back to", {
  meta: { proves: ["web.editor.together"] },
  timeout: 8 * timeout,
}, async () => {
  const id = await createDocument(site, "Eight tabs", "Text.");
  await site.withPage(site.setting.world.people.editor, {}, async (first) => {
    const tabs: Page[] = [];
    /** The browser has no more connections than these for all other requests. */
    const expectFewStreams = async (): Promise<void> => {
      const count = async (): Promise<number> => {
        const counts = await Promise.all(tabs.map(streamsOf));
        return counts.reduce((sum, each) => sum + each, 0);
      };
      // Sooner than a hidden tab closes its stream by itself.
      await expect.poll(count, { timeout: 10_000 }).toBeLessThanOrEqual(3);
    };
    const write = async (page: Page, text: string): Promise<void> => {
      await toEnd(page);
      await page.keyboard.type(text);
      await status(page, /^Saved$/);
    };
    for (let number = 1; number <= 8; number += 1) {
      const page = number === 1 ? first : await first.context().newPage();
      await countStreams(page);
      await openEditor(site, page, id);
      tabs.push(page);
      await write(page, ` tab ${number}`);
      await expectFewStreams();
      if (number < 8) await show(page, false);
    }
    const [oldest, ...others] = tabs;
    const last = others.at(-1);
    if (oldest === undefined || last === undefined) throw new Error("There are no tabs");
    await last.keyboard.press("Control+Enter");
    await last.getByRole("article").getByText("tab 8").waitFor();
    await last.getByRole("link", { name: "Trash" }).first().click();
    await last.getByRole("heading", { name: "Trash" }).waitFor();
    await show(last, false);
    // Each tab in turn is looked at for a moment.
    for (const page of tabs.slice(0, 7)) {
      await show(page, true);
      await editorOf(page).getByText("tab 8").waitFor();
      await caretRead(page);
      await expectFewStreams();
      if (page !== tabs[6]) await show(page, false);
    }
    await write(tabs[6] ?? oldest, " again");
    const text = Array.from({ length: 8 }, (_, index) => ` tab ${index + 1}`).join("");
    await expect.poll(() => markdownOf(site, id), { timeout: 30_000 }).toBe(`Text.${text} again\n`);
  });
});
