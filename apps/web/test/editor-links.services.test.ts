import { inspect, timeout } from "@kb/testing/chromium";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  createDocument,
  editDocument,
  expectSaved,
  markdownOf,
  status,
  toEnd,
  type Writing,
} from "./editor-setting.ts";
import { chosen, openSite, type Site } from "./site.ts";

describe("links, people and emoji in the editor, in Chromium", () => {
  let site: Site;
  beforeAll(async () => {
    site = await openSite();
  });
  afterAll(() => site?.close(), timeout);

  const editing = (id: string, use: Writing): Promise<void> => editDocument(site, id, use);
  const saved = (page: Page, id: string, text: string): Promise<void> => expectSaved(site, page, id, text);

  it("Ctrl+K links the selected text to a document that is found by its title, and the list inserts one by its title", {
    meta: { proves: ["web.editor.links", "web.editor.keys"] },
    timeout,
  }, async () => {
    const target = await createDocument(site, "Zebra crossing", "There");
    const id = await createDocument(site, "Linking", "Go there");
    await editing(id, async (page, editor) => {
      await toEnd(page);
      for (let count = 0; count < 5; count++) await page.keyboard.press("Shift+ArrowLeft");
      await page.keyboard.press("Control+k");
      await page.keyboard.type("zeb");
      await chosen(page, "Zebra crossing");
      await inspect(page, "editor-link", { width: 1280, scheme: "light" });
      await page.keyboard.press("Enter");
      await editor.getByRole("link", { name: "there" }).waitFor();
      await expect.poll(() => editor.evaluate((node) => node === document.activeElement)).toBe(true);
      await toEnd(page);
      await page.keyboard.type(" or /link");
      await page.getByRole("option", { name: "Link to a document" }).waitFor();
      await page.keyboard.press("Enter");
      await page.getByRole("searchbox", { name: "Title of a document, or an address" }).waitFor();
      await page.keyboard.type("crossing");
      await chosen(page, "Zebra crossing");
      await page.keyboard.press("Enter");
      await saved(page, id, `Go [there](/documents/${target}) or [Zebra crossing](/documents/${target})\n`);
    });
  });

  it("a pasted address of a document of ours becomes a link with its title, and links the selected text", {
    meta: { proves: ["web.editor.links", "web.editor.paste"] },
    timeout,
  }, async () => {
    const target = await createDocument(site, "Quagga", "There");
    const id = await createDocument(site, "Pasting", "Word");
    await editing(id, async (page, editor) => {
      const paste = (text: string): Promise<void> =>
        editor.evaluate((node, given) => {
          const clipboardData = new DataTransfer();
          clipboardData.setData("text/plain", given);
          node.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
        }, text);
      await editor.click();
      await page.keyboard.press("Control+Home");
      await page.keyboard.press("Shift+End");
      await paste(`${site.origin}/documents/${target}`);
      await saved(page, id, `[Word](/documents/${target})\n`);
      await toEnd(page);
      await page.keyboard.type(" and ");
      await paste(`${site.origin}/documents/${target}#part`);
      await editor.getByRole("link", { name: "Quagga" }).waitFor();
      await page.keyboard.type(".");
      await expect
        .poll(() => markdownOf(site, id))
        .toBe(`[Word](/documents/${target}) and [Quagga](/documents/${target}#part).\n`);
    });
  });

  it("an at sign suggests people by their names, and a colon emoji; text with these signs stays text", {
    meta: { proves: ["web.editor.mentions", "web.editor.keys"] },
    timeout,
  }, async () => {
    const id = await createDocument(site, "Signs", "");
    await editing(id, async (page, editor) => {
      await editor.click();
      await page.keyboard.type("@");
      const people = page.getByRole("listbox", { name: "People" });
      await people.waitFor();
      const name = (await people.getByRole("option").first().textContent())?.trim() ?? "";
      await page.keyboard.type(name.slice(0, 3));
      await page.getByRole("option", { selected: true }).getByText(name).waitFor();
      await page.keyboard.press("Enter");
      await page.keyboard.type("at 9: mail a@b.c :+1");
      const emoji = page.getByRole("listbox", { name: "Emoji" });
      await emoji.getByRole("option", { name: "+1", exact: true }).waitFor();
      await page.keyboard.type(": :tad");
      await emoji.getByRole("option", { name: "tada" }).waitFor();
      await inspect(page, "editor-emoji", { width: 1280, scheme: "dark" });
      await page.keyboard.press("Enter");
      await status(page, /^Saved$/);
      await expect
        .poll(() => markdownOf(site, id))
        .toMatch(/^\[@.+\]\(kb:\/\/users\/[\w-]+\) at 9: mail a@b\.c 👍 🎉\n$/);
    });
  });
});
