import { invoke, operations } from "@kb/core";
import { timeout } from "@kb/testing/chromium";
import type { Locator, Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { caretRead, createDocument, editDocument, editorOf, expectSaved } from "./editor-setting.ts";
import { siteOfSuite } from "./site-of-suite.ts";

const site = await siteOfSuite();
const code = "```js\nlet a;\n```";
const without = "Above\n\nBelow\n";
const withBlock = (block: string): string => `Above\n\n${block}\n\nBelow\n`;

/** Replaces the text of a document, as another person does, and waits until the page shows it. */
async function replaceText(page: Page, id: string, text: string): Promise<void> {
  const { world } = site.setting;
  await invoke(world.service, operations.updateDocument, world.people.admin.actor, { id, text });
  await expect.poll(() => editorOf(page).textContent()).toBe("AboveBelow");
}

const isFocused = (element: Locator): Promise<boolean> =>
  element.evaluate((node) => node.ownerDocument.activeElement === node);

const languageButton = (page: Page): Locator => page.getByRole("button", { name: /^Language of the code: / });

async function toCode(page: Page): Promise<void> {
  await editorOf(page).getByText("let a").click();
  await caretRead(page);
  await languageButton(page).waitFor();
}

describe("the focus of a writer, where others remove what has it", () => {
  it("stays in the field for a language, whose keys are no text and no shortcuts, and is in the text afterwards", {
    meta: { proves: ["web.editor.code", "web.editor.together"] },
    timeout,
  }, async () => {
    const id = await createDocument(site, "Language of nothing", withBlock(code));
    await editDocument(site, id, async (page, editor) => {
      await toCode(page);
      await languageButton(page).press("Enter");
      const field = page.getByRole("dialog").getByRole("searchbox");
      await field.waitFor();
      await replaceText(page, id, without);
      await page.keyboard.type("ne");
      expect(await field.inputValue()).toBe("ne");
      await page.keyboard.press("Escape");
      await page.keyboard.press("Escape");
      await expect.poll(() => isFocused(editor)).toBe(true);
      await page.keyboard.type("!");
      await expectSaved(site, page, id, "Above\n\n!Below\n");
    });
  });

  it("is in the text after a button of the toolbar, and after the source of a block", {
    meta: { proves: ["web.editor.keys", "web.editor.together"] },
    timeout,
  }, async () => {
    const id = await createDocument(site, "Button of nothing", withBlock(code));
    await editDocument(site, id, async (page, editor) => {
      await toCode(page);
      await languageButton(page).focus();
      await replaceText(page, id, without);
      await expect.poll(() => isFocused(editor)).toBe(true);
    });
    const other = await createDocument(site, "Source of nothing", withBlock("<aside>raw</aside>"));
    await editDocument(site, other, async (page, editor) => {
      await editor.locator(".raw textarea").click();
      await replaceText(page, other, without);
      await expect.poll(() => isFocused(editor)).toBe(true);
    });
  });
});

describe("the focus of a writer after a layer of the toolbar", () => {
  it("is on the button that opened it by keyboard, and in the text where that opened it", {
    meta: { proves: ["web.editor.keys"] },
    timeout: 2 * timeout,
  }, async () => {
    const id = await createDocument(site, "Layers", `Text\n\n| a | b |\n| - | - |\n| c | d |\n\n${code}\n`);
    await editDocument(site, id, async (page, editor) => {
      const layer = page.locator("[role=dialog], [role=menu]");
      const tool = (name: string | RegExp): Locator => page.getByRole("toolbar").getByRole("button", { name });
      const openAndClose = async (open: () => Promise<void>, origin: Locator): Promise<void> => {
        await open();
        await layer.locator("input:focus, [role=menuitem]:focus").first().waitFor();
        await page.keyboard.press("Escape");
        await layer.first().waitFor({ state: "detached" });
        await expect.poll(() => isFocused(origin)).toBe(true);
      };
      const byButton = (name: string | RegExp): Promise<void> =>
        openAndClose(() => tool(name).press("Enter"), tool(name));
      await editor.getByText("Text").click();
      await caretRead(page);
      await byButton("Link");
      await editor.getByText("Text").click();
      await caretRead(page);
      await openAndClose(() => tool("Link").click(), editor);
      await openAndClose(async () => {
        await page.keyboard.press("Escape");
        await expect.poll(() => isFocused(editor)).toBe(true);
        await page.keyboard.press("Control+k");
      }, editor);
      await editor.getByText("d", { exact: true }).click();
      await caretRead(page);
      await byButton("Rows and columns");
      await editor.getByText("d", { exact: true }).click();
      await openAndClose(() => tool("Rows and columns").click(), editor);
      await toCode(page);
      await tool(/^Language of the code: /).press("Enter");
      // The first Escape empties the field.
      await layer.locator("input:focus").waitFor();
      await page.keyboard.press("Escape");
      await page.keyboard.press("Escape");
      await layer.first().waitFor({ state: "detached" });
      await expect.poll(() => isFocused(languageButton(page))).toBe(true);
    });
  });
});

describe("what stands beside the text", () => {
  it("leaves the page its width, whatever the name of a language", {
    meta: { proves: ["web.editor.code"] },
    timeout,
  }, async () => {
    const id = await createDocument(site, "Long name", withBlock(code.replace("js", "n".repeat(3_000))));
    await editDocument(site, id, async (page) => {
      await page.setViewportSize({ width: 320, height: 600 });
      await toCode(page);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
    });
  });

  it("has a long footnote whole: it scrolls under the mouse, and the page does not", {
    meta: { proves: ["web.editor.footnotes"] },
    timeout,
  }, async () => {
    const lines = Array.from({ length: 40 }, (_, index) => `    Line ${index} of it.\n`).join("\n");
    const id = await createDocument(site, "Long note", `Words[^a]\n\n[^a]: First.\n\n${lines}`);
    await editDocument(site, id, async (page, editor) => {
      await editor.locator(".footnote-reference").first().hover();
      const note = page.locator("[data-note-popover]");
      const top = async (name: string): Promise<number> => (await note.getByText(name).boundingBox())?.y ?? 0;
      await note.getByText("First.").waitFor();
      const before = await top("Line 2 of it.");
      const box = await note.boundingBox();
      await page.mouse.move((box?.x ?? 0) + 30, (box?.y ?? 0) + 30);
      await page.mouse.wheel(0, 100);
      await expect.poll(() => top("Line 2 of it.")).toBe(before - 100);
      expect(await page.evaluate(() => scrollY)).toBe(0);
    });
  });
});
