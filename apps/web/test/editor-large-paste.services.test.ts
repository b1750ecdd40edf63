import { timeout } from "@kb/testing/chromium";
import type { Locator } from "playwright-core";
import { expect, it } from "vitest";
import {
  caretRead,
  createDocument,
  editDocument,
  editorOf,
  expectSaved,
  markdownOf,
  openEditor,
  toEnd,
} from "./editor-setting.ts";
import { siteOfSuite } from "./site-of-suite.ts";

const site = await siteOfSuite();

/** A megabyte of text: 5,000 lines of 200 characters, each with its number. */
const lines = Array.from({ length: 5_000 }, (_, index) => `line ${index} `.padEnd(199, "of words ").concat("."));

const pasteText = (editor: Locator, text: string): Promise<void> =>
  editor.evaluate((node, pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", pasted);
    node.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  }, text);

it("a paste of a megabyte is typed on at once, undone, done again and saved, and is there when the page is opened again", {
  meta: { proves: ["web.editor.paste"] },
  timeout: 4 * timeout,
}, async () => {
  const id = await createDocument(site, "Large paste", "Before.");
  await editDocument(site, id, async (page, editor) => {
    const paragraphs = editor.locator("p");
    await toEnd(page);
    await page.keyboard.press("Enter");
    await pasteText(editor, lines.join("\n"));
    await page.keyboard.type(" And typed on.");
    const text = `Before.\n\n${lines.join("\n\n")} And typed on.\n`;
    await expectSaved(site, page, id, text);
    expect(await paragraphs.count()).toBe(5_001);
    // The typed text and the paste are steps of their own in the history. So is Enter, where the paste comes half a second later.
    for (let count = 0; count < 10 && (await paragraphs.count()) > 1; count += 1)
      await page.keyboard.press("Control+z");
    await expect.poll(() => markdownOf(site, id), { timeout: 30_000 }).toMatch(/^Before\.\n*$/);
    for (let count = 0; count < 10 && !(await editor.textContent())?.endsWith("typed on."); count += 1)
      await page.keyboard.press("Control+y");
    await expectSaved(site, page, id, text);
    await page.reload();
    await expect.poll(() => editorOf(page).locator("p").count(), { timeout: 30_000 }).toBe(5_001);
    expect(await editorOf(page).locator("p").last().textContent()).toBe(`${lines.at(-1)} And typed on.`);
  });
});

const grid = (rows: number, columns: number, row: (cells: string[]) => string): string =>
  Array.from({ length: rows }, () => row(Array.from({ length: columns }, () => "1"))).join("\n");
const tabs = (cells: string[]): string => cells.join("\t");
const bars = (cells: string[]): string => `| ${cells.join(" | ")} |`;

it.each([
  ["a range of 498 rows and 50 columns into a table", "a", grid(498, 50, tabs)],
  ["a range of 10,000 rows and 100 columns into a table", "a", grid(10_000, 100, tabs)],
  ["a cell of 16 million characters into a table", "a", `"${"x".repeat(16_000_000)}"\ty`],
  [
    "a table of 498 rows and 50 columns into a text",
    "End",
    grid(498, 50, bars).replace("\n", `\n${bars(Array(50).fill("---"))}\n`),
  ],
])(
  "%s is refused in words, and what is written beside it is saved",
  {
    meta: { proves: ["web.editor.paste"] },
    timeout: 2 * timeout,
  },
  async (_, place, text) => {
    const id = await createDocument(site, "Too large", "| a |\n| --- |\n| b |\n\nEnd\n");
    await editDocument(site, id, async (page, editor) => {
      await editor.getByText(place, { exact: true }).click();
      await caretRead(page);
      await page.keyboard.press("End");
      await pasteText(editor, text);
      await page.getByText("This is too much for one paste").first().waitFor();
      await page.keyboard.type("!");
      const changed = place === "a" ? "| a! |\n| --- |\n| b |\n\nEnd\n" : "| a |\n| --- |\n| b |\n\nEnd!\n";
      await expectSaved(site, page, id, changed);
    });
  },
);

const dropText = (editor: Locator, text: string): Promise<void> =>
  editor.evaluate((node, dropped) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.setData("text/plain", dropped);
    const { x, y } = node.getBoundingClientRect();
    const options = { dataTransfer, clientX: x + 2, clientY: y + 2, bubbles: true, cancelable: true };
    for (const type of ["dragenter", "drop"]) node.dispatchEvent(new DragEvent(type, options));
  }, text);

const part = /\/reading-[^/]*\.js$/;

it.each([
  ["dropped", dropText],
  ["pasted before the part that reads them is loaded", pasteText],
] as const)(
  "two megabytes of plain text are refused in words: %s",
  { meta: { proves: ["web.editor.paste"] }, timeout: 2 * timeout },
  async (how, give) => {
    const id = await createDocument(site, "Too large", "End\n");
    await site.withPage(site.setting.world.people.editor, {}, async (page) => {
      const { promise: isGiven, resolve: load } = Promise.withResolvers<void>();
      const loaded = page.waitForResponse(part);
      await page.route(part, async (route) => {
        if (how !== "dropped") await isGiven;
        await route.continue();
      });
      const editor = await openEditor(site, page, id);
      if (how === "dropped") await (await loaded).finished();
      await editor.getByText("End", { exact: true }).click();
      await caretRead(page);
      await page.keyboard.press("End");
      await give(editor, "word ".repeat(400_000));
      load();
      await page.getByText("This is too much for one paste").first().waitFor();
      await editor.getByText("End", { exact: true }).click();
      await caretRead(page);
      await page.keyboard.press("End");
      await page.keyboard.type("!");
      await expectSaved(site, page, id, "End!\n");
    });
  },
);
