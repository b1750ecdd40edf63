import { timeout } from "@kb/testing/chromium";
import { expect, it } from "vitest";
import { createDocument, editDocument, editorOf, expectSaved, markdownOf, toEnd } from "./editor-setting.ts";
import { siteOfSuite } from "./site-of-suite.ts";

const site = await siteOfSuite();

/** A megabyte of text: 5,000 lines of 200 characters, each with its number. */
const lines = Array.from({ length: 5_000 }, (_, index) => `line ${index} `.padEnd(199, "of words ").concat("."));

it("a paste of a megabyte is typed on at once, undone, done again and saved, and is there when the page is opened again", {
  meta: { proves: ["web.editor.paste"] },
  timeout: 4 * timeout,
}, async () => {
  const id = await createDocument(site, "Large paste", "Before.");
  await editDocument(site, id, async (page, editor) => {
    const paragraphs = editor.locator("p");
    await toEnd(page);
    await page.keyboard.press("Enter");
    await editor.evaluate((node, text) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData("text/plain", text);
      node.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
    }, lines.join("\n"));
    await page.keyboard.type(" And typed on.");
    const text = `Before.\n\n${lines.join("\n\n")} And typed on.\n`;
    await expectSaved(site, page, id, text);
    expect(await paragraphs.count()).toBe(5_001);
    // What is typed and the paste are steps of their own in the history.
    for (let count = 0; count < 10 && (await paragraphs.count()) > 2; count += 1)
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
