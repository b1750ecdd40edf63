import { callerOf, fillCollection } from "@kb/core/testing";
import { timeout } from "@kb/testing/chromium";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { settled, started } from "./site.ts";
import { siteOfSuite } from "./site-of-suite.ts";
import { findDocument, openCollection } from "./tree-world.ts";

const site = await siteOfSuite();
const { world } = site.setting;
const { editor } = world.people;
const document = await callerOf(world, editor).create({
  title: "Harbour",
  text: "The first words.\n\n[Elsewhere](https://example.com/elsewhere)",
  publish: true,
  collectionId: world.collections.open,
});

/** Opens a page whose scripts are held up, lets somebody use it as the server sent it, and then lets the app start. */
async function useBeforeStart(path: string, use: (page: Page) => Promise<void>, then: (page: Page) => Promise<void>) {
  await site.withPage(editor, {}, async (page) => {
    let release = (): void => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route("**/assets/*.js", async (route) => {
      await released;
      await route.continue();
    });
    await page.goto(`${site.origin}${path}`, { waitUntil: "commit" });
    await page.locator("main h1").waitFor();
    await use(page);
    release();
    await started(page);
    await then(page);
  });
}

describe("work that was begun on the page of the server, in Chromium", () => {
  it("letters typed into the search of the bar go on in quick open, and are no shortcuts", { timeout }, async () => {
    const search = async (page: Page): Promise<void> => {
      await page.locator("input#kb-search").focus();
      await page.keyboard.type("har");
    };
    await useBeforeStart("/", search, async (page) => {
      await page.keyboard.type("bour");
      await page.locator("[role=dialog] input").waitFor();
      await page.getByRole("menuitem", { name: /^Harbour/ }).waitFor();
      expect(await page.locator("[role=dialog] input").inputValue()).toBe("harbour");
      expect(await page.getByRole("dialog").count()).toBe(1);
      await settled(page);
      await page.keyboard.press("Escape");
      await page.keyboard.press("Escape");
      await page.locator("button#kb-search:focus").waitFor();
    });
  });

  it("words in the form of the search stay, with the caret where it was", { timeout }, async () => {
    const type = async (page: Page): Promise<void> => {
      await page.locator("main input[name=query]").focus();
      await page.keyboard.type("har words");
      for (let key = 0; key < 6; key += 1) await page.keyboard.press("ArrowLeft");
    };
    await useBeforeStart("/search", type, async (page) => {
      await page.keyboard.type("bour");
      expect(await page.locator("main input[name=query]").inputValue()).toBe("harbour words");
    });
  });

  it("a filter of the search that was chosen applies", { timeout }, async () => {
    const choose = async (page: Page): Promise<void> => {
      await page.locator("main select[name=status]").focus();
      await page.locator("main select[name=status]").selectOption("draft");
    };
    await useBeforeStart("/search?query=words", choose, async (page) => {
      await page.waitForURL("**/search?query=words&status=draft");
      expect(await page.locator("main select[name=status]").inputValue()).toBe("draft");
      await settled(page);
      await page.locator("main select[name=status]:focus").waitFor();
    });
  });

  it("an order of a collection that was chosen applies", { timeout }, async () => {
    const choose = async (page: Page): Promise<void> => {
      await page.locator("main select[name=sort]").selectOption("updated");
    };
    await useBeforeStart(`/collections/${world.collections.open}`, choose, async (page) => {
      await page.waitForURL("**/collections/*?sort=updated");
      expect(await page.locator("main select[name=sort]").inputValue()).toBe("updated");
    });
  });

  it("a link keeps the focus, in the navigation and in the text, and a selection stays", {
    timeout,
  }, async () => {
    const path = `/documents/${document.id}`;
    const focusDrafts = (page: Page) => page.locator('nav a[href="/drafts"]').focus();
    await useBeforeStart(path, focusDrafts, async (page) => {
      await page.locator('nav a[href="/drafts"]:focus').waitFor();
    });
    const select = async (page: Page): Promise<void> => {
      await page.locator("article a").focus();
      await page
        .locator("article p")
        .first()
        .evaluate((paragraph) => getSelection()?.selectAllChildren(paragraph));
    };
    await useBeforeStart(path, select, async (page) => {
      await page.locator("article a:focus").waitFor();
      expect(await page.evaluate(() => String(getSelection()))).toBe("The first words.");
    });
  });

  it("a link keeps the focus in its part of the page, where others lead to the same place", { timeout }, async () => {
    const focusHome = (page: Page) => page.locator('nav a[href="/"]').focus();
    await useBeforeStart("/", focusHome, async (page) => {
      await page.locator('nav a[href="/"]:focus').waitFor();
    });
    const crumb = `main a[href="/collections/${world.collections.open}"]`;
    const focusCrumb = (page: Page) => page.locator(crumb).focus();
    await useBeforeStart(`/documents/${document.id}`, focusCrumb, async (page) => {
      await page.locator(`${crumb}:focus`).waitFor();
    });
  });

  it("the navigation stays where a person has scrolled it, with the row of the page out of sight", {
    timeout,
  }, async () => {
    const long = await openCollection(world, "Long");
    await fillCollection(world, long, 45);
    const path = `/documents/${await findDocument(world, "Page 00003")}`;
    const row = "#kb-navigation :is(.navigation-tree a, [role=treeitem]):has-text('Page 00040')";
    const topOf = async (page: Page): Promise<number> => (await page.locator(row).boundingBox())?.y ?? Number.NaN;
    let before = Number.NaN;
    const scroll = async (page: Page): Promise<void> => {
      await page.locator(row).evaluate((element) => element.scrollIntoView({ block: "center" }));
      before = await topOf(page);
    };
    await useBeforeStart(path, scroll, async (page) => {
      await settled(page);
      expect(before).toBeGreaterThan(0);
      expect(await topOf(page)).toBeCloseTo(before, 0);
    });
  });

  it("a person without a place stays at the top of the page", { timeout }, async () => {
    const leave = async (page: Page): Promise<void> => {
      await page.locator("input#kb-search").focus();
      await page.locator("input#kb-search").blur();
    };
    await useBeforeStart("/", leave, async (page) => {
      await settled(page);
      expect(await page.evaluate(() => globalThis.document.activeElement === globalThis.document.body)).toBe(true);
      expect(await page.getByRole("dialog").count()).toBe(0);
    });
  });
});
