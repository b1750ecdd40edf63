import { invoke, operations } from "@kb/core";
import { inspect, timeout } from "@kb/testing/chromium";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  caretRead,
  createDocument,
  editDocument,
  editorOf,
  expectSaved,
  toEnd,
  type Writing,
} from "./editor-setting.ts";
import { openSite, type Site } from "./site.ts";

/** The option to which the text points while the list is open. */
const pointedAt = (page: Page): Locator => page.getByRole("option", { selected: true });

describe("what can be inserted, in Chromium", () => {
  let site: Site;
  beforeAll(async () => {
    site = await openSite();
  });
  afterAll(() => site?.close(), timeout);

  const editing = (id: string, use: Writing): Promise<void> => editDocument(site, id, use);
  const saved = (page: Page, id: string, text: string): Promise<void> => expectSaved(site, page, id, text);

  it("a slash opens the list, words find an entry, arrows and Enter take it, and undo brings the question back", {
    meta: { proves: ["web.editor.insert", "web.editor.keys"] },
    timeout,
  }, async () => {
    const id = await createDocument(site, "Insert", "");
    await editing(id, async (page, editor) => {
      await editor.click();
      await page.keyboard.type("/");
      const list = page.getByRole("listbox", { name: "Insert" });
      await list.waitFor();
      expect(await editor.getAttribute("aria-controls")).toBe(await list.getAttribute("id"));
      expect(await editor.getAttribute("aria-activedescendant")).toBe(await pointedAt(page).getAttribute("id"));
      expect(await pointedAt(page).textContent()).toContain("Heading 1");
      await page.keyboard.press("ArrowDown");
      expect(await pointedAt(page).textContent()).toContain("Heading 2");
      await page.keyboard.press("ArrowUp");
      await page.keyboard.press("ArrowUp");
      expect(await pointedAt(page).textContent()).toContain("Today’s date");
      await page.keyboard.type("check");
      await expect.poll(() => list.getByRole("option").count()).toBe(1);
      await page.keyboard.press("Enter");
      await list.waitFor({ state: "detached" });
      expect(await editor.getAttribute("aria-activedescendant")).toBeNull();
      await page.keyboard.type("Write");
      await saved(page, id, "- [ ] Write\n");
      // What is typed right after it may be undone with it.
      await page.keyboard.press("Control+z");
      if ((await editor.textContent()) !== "/check") await page.keyboard.press("Control+z");
      expect(await editor.textContent()).toBe("/check");
      expect(await list.count()).toBe(0);
    });
  });

  it("Escape leaves the slash as text; a click takes an entry, and leaving the text closes the list", {
    meta: { proves: ["web.editor.insert", "web.editor.keys"] },
    timeout,
  }, async () => {
    const id = await createDocument(site, "Escape", "First");
    await editing(id, async (page, editor) => {
      const list = page.getByRole("listbox", { name: "Insert" });
      await toEnd(page);
      await page.keyboard.type(" /tab");
      await list.waitFor();
      await page.keyboard.press("Escape");
      await list.waitFor({ state: "detached" });
      await page.keyboard.type("le");
      await saved(page, id, "First /table\n");
      await page.keyboard.press("Enter");
      await page.keyboard.type("/");
      await list.getByRole("option", { name: "Divider" }).click();
      await page.keyboard.type("Below /");
      await list.waitFor();
      await page.getByRole("textbox", { name: "Title" }).focus();
      await list.waitFor({ state: "detached" });
      expect(await editor.getByRole("separator").count()).toBe(1);
      await saved(page, id, "First /table\n\n---\n\nBelow /\n");
    });
  });

  it("the button of the toolbar opens the same list at the caret, which goes on in the table, the formula or the note", {
    meta: { proves: ["web.editor.insert", "web.editor.keys"] },
    timeout,
  }, async () => {
    const id = await createDocument(site, "Button", "Text");
    await editing(id, async (page, editor) => {
      const insert = async (query: string, name: string): Promise<void> => {
        await page.keyboard.press("Alt+F10");
        const button = page.getByRole("toolbar", { name: "Formatting" }).getByRole("button", { name: "Insert" });
        await button.focus();
        await page.keyboard.press("Enter");
        await page.getByRole("listbox", { name: "Insert" }).waitFor();
        await page.keyboard.type(query);
        await pointedAt(page).getByText(name, { exact: true }).waitFor();
        await page.keyboard.press("Enter");
      };
      await toEnd(page);
      await insert("equation", "Formula");
      const formula = editor.getByRole("textbox", { name: "Formula in LaTeX" });
      await expect.poll(() => formula.evaluate((field) => field === document.activeElement)).toBe(true);
      await page.keyboard.type("a^2");
      await page.keyboard.press("Escape");
      await editor.getByRole("img", { name: "Formula in LaTeX: a^2" }).locator("math msup").waitFor();
      await insert("grid", "Table");
      await page.keyboard.type("Cell");
      await page.keyboard.press("Control+Home");
      await page.keyboard.press("End");
      await caretRead(page);
      await insert("footn", "Footnote");
      await page.keyboard.type("Note");
      await saved(page, id, "Text[^1]\n\n$$\na^2\n$$\n\n| Cell |  |\n| --- | --- |\n|  |  |\n\n[^1]: Note\n");
    });
  });

  it("a question stays where it was asked while somebody else writes before it", {
    meta: { proves: ["web.editor.insert", "web.editor.together"] },
    timeout,
  }, async () => {
    const { service, people } = site.setting.world;
    const id = await createDocument(site, "Others", "First\n\nLast");
    await editing(id, async (page, editor) => {
      await toEnd(page);
      await page.keyboard.press("Enter");
      await page.keyboard.type("/quo");
      await pointedAt(page).getByText("Quote").waitFor();
      const request = { id, op: "prepend", markdown: "Theirs" } as const;
      await invoke(service, operations.editDocument, people.admin.actor, request);
      await editor.getByText("Theirs").waitFor();
      await page.keyboard.press("Enter");
      await page.keyboard.type("Mine");
      await saved(page, id, "Theirs\n\nFirst\n\nLast\n\n> Mine\n");
    });
  });

  it.each([
    { width: 320, scheme: "light", locale: "en" },
    { width: 1280, scheme: "dark", locale: "en" },
    { width: 320, scheme: "dark", locale: "ar" },
    { width: 1280, scheme: "light", locale: "ar" },
  ] as const)(
    "the list has no finding of axe-core and nothing is cut off: $width px, $scheme, $locale",
    {
      meta: { proves: ["web.editor.insert"] },
      timeout,
    },
    async ({ width, scheme, locale }) => {
      const id = await createDocument(site, "Look", "Text\n\nMore");
      const options = { viewport: { width, height: 700 }, colorScheme: scheme };
      await site.withPage(site.setting.world.people.editor, options, async (page) => {
        await page.context().addCookies([{ name: "kb_locale", value: locale, url: site.origin }]);
        await page.goto(`${site.origin}/documents/${id}?edit=true`);
        const editor = locale === "en" ? editorOf(page) : page.getByRole("textbox", { name: "النص", exact: true });
        await editor.click();
        await page.keyboard.press("Control+End");
        await page.keyboard.type(" /");
        const list = page.getByRole("listbox");
        await list.waitFor();
        await inspect(page, `editor-insert-${locale}`, { width, scheme });
        const box = await list.boundingBox();
        expect(box === null ? -1 : Math.min(box.x, width - box.x - box.width)).toBeGreaterThanOrEqual(0);
        await page.keyboard.type(locale === "en" ? "ta" : "جد");
        await pointedAt(page)
          .getByText(locale === "en" ? "Task list" : "جدول")
          .waitFor();
      });
    },
  );
});
