import { inspect, timeout } from "@kb/testing/chromium";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  caretRead,
  createDocument,
  editDocument,
  editorOf,
  expectSaved,
  markdownOf,
  openEditor,
} from "./editor-setting.ts";
import { openSite, type Site } from "./site.ts";

const table = "| a | bb | c |\n| --- | --- | --- |\n| 1 | 2 | 3 |\n";
const menuOf = (page: Page): Locator => page.getByRole("menu");
const buttonOf = (page: Page, kind: "row" | "column"): Locator => page.locator(`[data-table-menu=${kind}]`);

/** Puts the caret in the cell with a text, and waits for the menus of its row and column. */
async function into(page: Page, text: string): Promise<void> {
  await editorOf(page).getByText(text, { exact: true }).click();
  await buttonOf(page, "row").waitFor();
}

async function choose(page: Page, name: string): Promise<void> {
  await menuOf(page)
    .getByRole(/Left|Centered|Right|As its/.test(name) ? "menuitemradio" : "menuitem", { name })
    .click();
  await menuOf(page).waitFor({ state: "detached" });
}

describe("the menus of tables in Chromium", () => {
  let site: Site;
  beforeAll(async () => {
    site = await openSite();
  });
  afterAll(() => site?.close(), timeout);

  it("a row and a column are changed by their menus, and the caret is back in the text", {
    meta: { proves: ["web.editor.keys"] },
    timeout: 2 * timeout,
  }, async () => {
    const id = await createDocument(site, "Menus", table);
    await editDocument(site, id, async (page, editor) => {
      await into(page, "2");
      await buttonOf(page, "row").click();
      await menuOf(page).waitFor();
      await inspect(page, "table-menu", { width: 1280, scheme: "light" });
      await choose(page, "Insert a row below");
      await expect.poll(() => editor.evaluate((node) => node === document.activeElement)).toBe(true);
      await page.keyboard.type("new");
      await expectSaved(site, page, id, "| a | bb | c |\n| --- | --- | --- |\n| 1 | 2 | 3 |\n|  | new |  |\n");
      await buttonOf(page, "column").click();
      await choose(page, "Right");
      await expectSaved(site, page, id, "| a | bb | c |\n| --- | --: | --- |\n| 1 | 2 | 3 |\n|  | new |  |\n");
      await buttonOf(page, "column").click();
      expect(await menuOf(page).getByRole("menuitemradio", { name: "Right" }).getAttribute("aria-checked")).toBe(
        "true",
      );
      await choose(page, "Move the column left");
      await expectSaved(site, page, id, "| bb | a | c |\n| --: | --- | --- |\n| 2 | 1 | 3 |\n| new |  |  |\n");
      await buttonOf(page, "row").click();
      await choose(page, "Delete the row");
      await expectSaved(site, page, id, "| bb | a | c |\n| --: | --- | --- |\n| 2 | 1 | 3 |\n");
      await page.keyboard.press("Control+z");
      await expectSaved(site, page, id, "| bb | a | c |\n| --: | --- | --- |\n| 2 | 1 | 3 |\n| new |  |  |\n");
    });
  });

  it("Shift+F10 opens both menus, Escape leads back, and Alt+Shift+arrows move the row and the column", {
    meta: { proves: ["web.editor.keys"] },
    timeout: 2 * timeout,
  }, async () => {
    const id = await createDocument(site, "Keys", `${table}\nText\n`);
    await editDocument(site, id, async (page, editor) => {
      await into(page, "2");
      await page.keyboard.press("Shift+F10");
      await menuOf(page).getByRole("menuitem", { name: "Delete the table" }).waitFor();
      await page.keyboard.press("Escape");
      await menuOf(page).waitFor({ state: "detached" });
      await expect.poll(() => editor.evaluate((node) => node === document.activeElement)).toBe(true);
      await page.keyboard.press("Alt+Shift+ArrowRight");
      await page.keyboard.press("Alt+Shift+ArrowUp");
      // A click may have put the caret on either side of the text.
      await page.keyboard.press("End");
      await page.keyboard.type("x");
      await expectSaved(site, page, id, "| 1 | 3 | 2x |\n| --- | --- | --- |\n| a | c | bb |\n\nText\n");
      const toolbar = page.getByRole("toolbar", { name: "Formatting" });
      await toolbar.getByRole("button", { name: "Rows and columns" }).click();
      await choose(page, "Delete the table");
      await expectSaved(site, page, id, "Text\n");
      await buttonOf(page, "row").waitFor({ state: "detached" });
    });
  });

  it("arrows and menus move a column of Arabic to the side that they name, at 320 px too, where nothing is wider than the page", {
    meta: { proves: ["web.editor.keys"] },
    timeout: 2 * timeout,
  }, async () => {
    const id = await createDocument(site, "عربي", "| واحد | اثنان | ثلاثة |\n| --- | --- | --- |\n| ١ | ٢ | ٣ |\n");
    await editDocument(
      site,
      id,
      async (page) => {
        const leftOf = async (text: string): Promise<number> =>
          (await editorOf(page).getByText(text, { exact: true }).boundingBox())?.x ?? Number.NaN;
        const seen = async (): Promise<string> => {
          const cells = await Promise.all(["١", "٢", "٣"].map(async (text) => ({ text, left: await leftOf(text) })));
          return cells
            .sort((one, other) => one.left - other.left)
            .map(({ text }) => text)
            .join(" ");
        };
        await into(page, "٢");
        const [left = "", , right = ""] = (await seen()).split(" ");
        await page.keyboard.press("Alt+Shift+ArrowLeft");
        await expect.poll(seen).toBe(`٢ ${left} ${right}`);
        await buttonOf(page, "column").click();
        await choose(page, "Move the column right");
        await expect.poll(seen).toBe(`${left} ٢ ${right}`);
        await inspect(page, "table-rtl", { width: 320, scheme: "light" });
      },
      { viewport: { width: 320, height: 700 } },
    );
  });

  it.each([
    ["Linux x86_64", "Control+a"],
    ["MacIntel", "Meta+a"],
  ])(
    "on %s, %s selects the cell, then the table, then the document",
    {
      meta: { proves: ["web.editor.keys"] },
      timeout: 2 * timeout,
    },
    async (platform, keys) => {
      const id = await createDocument(site, "Select", `Start\n\n${table}\nEnd\n`);
      const cells = ["a", "bb", "c", "1", "2", "3"];
      await site.withPage(site.setting.world.people.editor, {}, async (page) => {
        const pretend = (value: string): void => void Object.defineProperty(navigator, "platform", { value });
        await page.addInitScript(pretend, platform);
        await openEditor(site, page, id);
        const selectedBy = async (stroke: string): Promise<string[]> => {
          await page.keyboard.press(stroke);
          await caretRead(page);
          return page.evaluate(() => String(getSelection()).trim().split(/\s+/));
        };
        await into(page, "bb");
        expect(await selectedBy(keys)).toEqual(["bb"]);
        expect(await selectedBy(keys)).toEqual(cells);
        expect(await selectedBy(keys)).toEqual(["Start", ...cells, "End"]);
        await editorOf(page).getByText("End", { exact: true }).click();
        expect(await selectedBy(keys)).toEqual(["Start", ...cells, "End"]);
        await into(page, "bb");
        await editorOf(page)
          .getByText("End", { exact: true })
          .click({ modifiers: ["Shift"] });
        await caretRead(page);
        expect(await selectedBy(keys)).toEqual(["Start", ...cells, "End"]);
        await into(page, "1");
        expect(await selectedBy(keys)).toEqual(["1"]);
        await page.keyboard.press("Delete");
        // A cell without text is selected as it is.
        expect(await selectedBy(keys)).toEqual(cells.filter((each) => each !== "1"));
        await page.keyboard.press("Delete");
        await expectSaved(site, page, id, "Start\n\nEnd\n");
      });
    },
  );

  it("two people change one table in turn: a moved column overwrites nobody's cell, and the caret goes along", {
    meta: { proves: ["web.editor.together"] },
    timeout: 3 * timeout,
  }, async () => {
    const id = await createDocument(site, "Two", table);
    await editDocument(site, id, async (ada, adasEditor) => {
      await editDocument(
        site,
        id,
        async (bob, bobsEditor) => {
          await into(ada, "1");
          await into(bob, "3");
          const agree = async (words: string): Promise<void> => {
            await expect.poll(() => adasEditor.textContent()).toContain(words);
            await expect
              .poll(async () => (await adasEditor.textContent()) === (await bobsEditor.textContent()))
              .toBe(true);
          };
          // Keys within one round trip are the matter of `editor-tables.test.ts`: a copied cell may leave them in a cell of their own.
          for (const [typed, key] of [
            ["Words", "Right"],
            ["Words of", "Right"],
            ["Words of Bob", "Left"],
          ] as const) {
            await bob.keyboard.type(typed.split(/(?= )/).at(-1) ?? "");
            await agree(typed);
            await ada.keyboard.press(`Alt+Shift+Arrow${key}`);
            await agree(typed);
          }
          const text = await markdownOf(site, id);
          for (const cell of ["a", "bb", "c", "1", "2", "3"]) expect(text).toContain(cell);
          expect(text.replaceAll(/[^A-Za-z ]/g, "")).toContain("Words of Bob");
        },
        { who: "admin" },
      );
    });
  });
});
