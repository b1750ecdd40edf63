import { inspect, timeout } from "@kb/testing/chromium";
import type { WatchedOptions } from "@kb/testing/page-problems";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createDocument, editDocument, editorOf, expectSaved, type Writing } from "./editor-setting.ts";
import { openSite, type Site } from "./site.ts";

const handleOf = (page: Page): Locator => page.locator("[data-handle]");
const lineOf = (page: Page): Locator => page.locator("[data-drop-line]");
const toolsOver = (page: Page): Locator => page.locator("[data-selection-tools]");
const touch = { hasTouch: true, isMobile: true, viewport: { width: 390, height: 800 } };

type Box = { readonly x: number; readonly y: number; readonly width: number; readonly height: number };

async function boxOf(element: Locator): Promise<Box> {
  const box = await element.boundingBox();
  if (box === null) throw new Error("The element is not in the page");
  return box;
}

/** Brings the mouse to the handle of the block with a text, and presses it. */
async function grab(page: Page, text: string): Promise<void> {
  const block = await boxOf(editorOf(page).getByText(text, { exact: true }));
  await page.mouse.move(block.x + 4, block.y + block.height / 2);
  await handleOf(page).waitFor();
  const handle = await boxOf(handleOf(page));
  expect(Math.abs(handle.y + handle.height / 2 - block.y - block.height / 2)).toBeLessThan(block.height);
  await page.mouse.move(handle.x + handle.width / 2, handle.y + handle.height / 2);
  await page.mouse.down();
}

/** Moves the mouse over the upper or lower half of the block with a text, and waits for the line there. */
async function over(page: Page, text: string, half: "upper" | "lower"): Promise<void> {
  const block = await boxOf(editorOf(page).getByText(text, { exact: true }));
  const edge = half === "upper" ? block.y : block.y + block.height;
  await page.mouse.move(block.x + 10, edge + (half === "upper" ? 2 : -2), { steps: 4 });
  await lineOf(page).waitFor();
  await expect.poll(async () => Math.abs((await boxOf(lineOf(page))).y - edge)).toBeLessThan(12);
}

describe("the editor under a mouse and fingers, in Chromium", () => {
  let site: Site;
  beforeAll(async () => {
    site = await openSite();
  });
  afterAll(() => site?.close(), timeout);

  const editing = (id: string, use: Writing, options: WatchedOptions = {}): Promise<void> =>
    editDocument(site, id, use, options);

  it("a block is dragged by its handle to a line, with what somebody else writes in it meanwhile", {
    meta: { proves: ["web.editor.drag", "web.editor.together"] },
    timeout: 2 * timeout,
  }, async () => {
    const id = await createDocument(site, "Drag", "One\n\nTwo\n\nThree\n\nFour");
    await editing(id, async (page) => {
      await editDocument(
        site,
        id,
        async (other) => {
          await grab(page, "Two");
          await over(page, "Four", "lower");
          await editorOf(other).getByText("Two", { exact: true }).click();
          await other.keyboard.press("End");
          await other.keyboard.type(" by Bob");
          await editorOf(page).getByText("Two by Bob").waitFor();
          await page.mouse.up();
          await expectSaved(site, page, id, "One\n\nThree\n\nFour\n\nTwo by Bob\n");
        },
        { who: "admin" },
      );
      expect(await lineOf(page).count()).toBe(0);
      await page.keyboard.press("Control+z");
      await expectSaved(site, page, id, "One\n\nTwo by Bob\n\nThree\n\nFour\n");
    });
  });

  it("Escape leaves a dragged block where it is, a click on the handle selects it, and keys hide the handle", {
    meta: { proves: ["web.editor.drag"] },
    timeout,
  }, async () => {
    const id = await createDocument(site, "Escape", "One\n\nTwo\n\nThree");
    await editing(id, async (page) => {
      await grab(page, "One");
      await over(page, "Three", "lower");
      await page.keyboard.press("Escape");
      await lineOf(page).waitFor({ state: "detached" });
      await page.mouse.up();
      await grab(page, "Two");
      await page.mouse.up();
      await page.keyboard.press("Backspace");
      await expectSaved(site, page, id, "One\n\nThree\n");
      expect(await handleOf(page).isVisible()).toBe(false);
    });
  });

  it("an item is dragged within its list and out of it; the handle is where the lines of a block begin", {
    meta: { proves: ["web.editor.drag"] },
    timeout: 2 * timeout,
  }, async () => {
    const id = await createDocument(site, "Items", "- one\n- two\n- three\n\nEnd\n\nمرحبا");
    await editing(id, async (page, editor) => {
      await grab(page, "one");
      await over(page, "three", "lower");
      await page.mouse.up();
      await expectSaved(site, page, id, "- two\n- three\n- one\n\nEnd\n\nمرحبا\n");
      await grab(page, "three");
      await over(page, "End", "lower");
      await page.mouse.up();
      await expectSaved(site, page, id, "- two\n- one\n\nEnd\n\n- three\n\nمرحبا\n");
      const text = await boxOf(editor);
      const arabic = await boxOf(editor.getByText("مرحبا"));
      await page.mouse.move(arabic.x + arabic.width - 10, arabic.y + arabic.height / 2);
      await expect
        .poll(async () => (await boxOf(handleOf(page))).x)
        .toBeGreaterThanOrEqual(Math.floor(text.x + text.width));
      await page.mouse.move(arabic.x + 10, (await boxOf(editor.getByText("End"))).y + 5);
      await expect.poll(async () => (await boxOf(handleOf(page))).x).toBeLessThan(text.x);
      await inspect(page, "beside the text", { width: 1280, scheme: "light" });
    });
  });

  it("text that is selected with the mouse has its tools above it; the keyboard does without", {
    meta: { proves: ["web.editor.toolbar"] },
    timeout: 2 * timeout,
  }, async () => {
    const id = await createDocument(site, "Tools", "Some words here");
    await editing(id, async (page, editor) => {
      await editor.getByText("Some words here").dblclick({ position: { x: 60, y: 10 } });
      await toolsOver(page).waitFor();
      const tools = await boxOf(toolsOver(page));
      const text = await boxOf(editor.getByText("Some words here"));
      expect(tools.y + tools.height <= text.y || tools.y >= text.y + text.height).toBe(true);
      await inspect(page, "beside the text", { width: 1280, scheme: "light" });
      await toolsOver(page).locator("[data-tool=toolBold]").click();
      await expectSaved(site, page, id, "Some **words** here\n");
      expect(await toolsOver(page).locator("[data-tool=toolBold][data-selected]").count()).toBe(1);
      const toolbar = page.getByRole("toolbar", { name: "Formatting" });
      expect((await boxOf(toolbar)).height).toBeLessThan(60);
      await page.keyboard.press("Shift+ArrowRight");
      await toolsOver(page).waitFor({ state: "detached" });
      await page.keyboard.press("Control+a");
      await page.keyboard.press("Control+i");
      await expectSaved(site, page, id, "*Some **words** here*\n");
      expect(await toolsOver(page).count()).toBe(0);
      await editor.getByText("Some").dblclick({ position: { x: 10, y: 10 } });
      await toolsOver(page).locator("[data-tool=toolLink]").click();
      await page.getByRole("dialog").or(page.getByRole("combobox")).or(page.getByRole("searchbox")).first().waitFor();
    });
  });

  it("on a touch screen the toolbar stays above the keyboard, has what is rare behind a button, and keeps the focus in the text", {
    meta: { proves: ["web.editor.toolbar"] },
    timeout: 2 * timeout,
  }, async () => {
    const id = await createDocument(site, "Touch", "First\n\nSecond");
    const use: Writing = async (page, editor) => {
      const toolbar = page.getByRole("toolbar", { name: "Formatting" });
      const heading = toolbar.getByRole("button", { name: "Heading 2" });
      const endOf = async (): Promise<number> => Math.round((await boxOf(toolbar)).y + (await boxOf(toolbar)).height);
      expect(await endOf()).toBe(800);
      expect(await heading.isVisible()).toBe(false);
      await page.waitForFunction(() => document.documentElement.style.getPropertyValue("--keyboard") === "0px");
      // No keyboard opens in a browser without a screen: it takes the lower part of what is visible.
      await page.evaluate(() => {
        const { visualViewport } = window;
        if (visualViewport === null) return;
        Object.defineProperty(visualViewport, "height", { get: () => innerHeight - 300, configurable: true });
        visualViewport.dispatchEvent(new Event("resize"));
      });
      await expect.poll(endOf).toBe(500);
      await editor.getByText("Second").tap();
      await toolbar.getByRole("button", { name: "More tools" }).tap();
      await heading.tap();
      await expectSaved(site, page, id, "First\n\n## Second\n");
      expect(await editor.evaluate((element) => document.activeElement === element)).toBe(true);
      await toolbar.getByRole("button", { name: "Move the block up" }).tap();
      await expectSaved(site, page, id, "## Second\n\nFirst\n");
      await editor.getByText("First").tap();
      await page.keyboard.press("End");
      await page.keyboard.type("!");
      await expectSaved(site, page, id, "## Second\n\nFirst!\n");
      expect(await handleOf(page).isVisible()).toBe(false);
      await inspect(page, "beside the text", { width: 1280, scheme: "light" });
    };
    await editing(id, use, touch);
  });
});
