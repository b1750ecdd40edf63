import { fillCollection } from "@kb/core/testing";
import { timeout } from "@kb/testing/chromium";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSite, type Site, settled, started } from "./site.ts";
import { nest, openCollection } from "./tree-world.ts";

/** The sidebar can be scrolled on beyond what stands below the tree. */
const low = { viewport: { width: 1280, height: 500 } };
const desk = { viewport: { width: 1280, height: 900 } };

describe("the tree of the sidebar in Chromium", () => {
  let site: Site;
  let large: string;
  let path: string[];

  beforeAll(async () => {
    site = await openSite();
    const { world } = site.setting;
    large = await openCollection(world, "Large");
    await fillCollection(world, large, 10_000);
    path = await nest(world, await openCollection(world, "Deep"), 100);
  });
  afterAll(() => site?.close(), timeout);

  const open = async (page: Page, address = "/"): Promise<void> => {
    await page.goto(`${site.origin}${address}`);
    await started(page);
    await page.getByRole("tree").waitFor();
  };
  const row = (page: Page, name: string) => page.getByRole("treeitem", { name, exact: true });
  const focusRow = (page: Page, name: string) => page.locator('[role="treeitem"]:focus', { hasText: name }).waitFor();

  it("a tree of 10,000 rows has at most 60 of them in the page, wherever it is scrolled", {
    meta: { proves: ["web.sidebar.window"] },
    timeout: 2 * timeout,
  }, async () => {
    await site.withPage(site.setting.world.people.editor, desk, async (page) => {
      await open(page);
      await row(page, "Large").focus();
      await page.keyboard.press("ArrowRight");
      await row(page, "Page 00001").waitFor();
      let most = 0;
      await expect
        .poll(
          async () => {
            most = Math.max(most, await page.getByRole("treeitem").count());
            await page.locator("[data-scroll-area]").evaluate((area) => area.scrollTo(0, area.scrollHeight));
            return row(page, "Page 10000").count();
          },
          { timeout },
        )
        .toBe(1);
      await page.keyboard.press("Home");
      await focusRow(page, "Deep");
      expect(most).toBeLessThanOrEqual(60);
    });
  });

  it("a row of a document has three elements, and a scroll within the rows that are there renders none", {
    timeout,
  }, async () => {
    await site.withPage(site.setting.world.people.editor, desk, async (page) => {
      await open(page);
      await row(page, "Large").focus();
      await page.keyboard.press("ArrowRight");
      await row(page, "Page 00020").waitFor();
      await settled(page);
      expect(await row(page, "Page 00010").evaluate((element) => element.querySelectorAll("*").length + 1)).toBe(3);
      const changesOf = (rows: number): Promise<number> =>
        page.locator("[data-scroll-area]").evaluate(async (area, count) => {
          const tree = area.querySelector("[role=tree]");
          if (tree === null) throw new Error("no tree");
          const frames = async (): Promise<void> => {
            for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
          };
          let added = 0;
          const observer = new MutationObserver((records) => {
            for (const record of records) added += record.addedNodes.length;
          });
          area.scrollTop = 640;
          await frames();
          observer.observe(tree, { childList: true, subtree: true });
          area.scrollTop += count * Number.parseFloat(getComputedStyle(tree).lineHeight);
          await frames();
          observer.disconnect();
          return added;
        }, rows);
      expect(await changesOf(0)).toBe(0);
      expect(await changesOf(4)).toBe(4);
      expect(await changesOf(20)).toBe(20);
    });
  });

  it("the tree is open at the page's document, a hundred levels deep, without a request", {
    meta: { proves: ["web.sidebar.path"] },
    timeout,
  }, async () => {
    await site.withPage(site.setting.world.people.viewer, desk, async (page) => {
      const calls: string[] = [];
      page.on("request", (request) => {
        if (request.url().includes("/api/") && !request.url().includes("app.events")) calls.push(request.url());
      });
      await open(page, `/documents/${path.at(-1)}`);
      const current = page.locator('[role="treeitem"][aria-current="page"]');
      await current.waitFor();
      expect([await current.getAttribute("aria-level"), await current.textContent()]).toEqual(["101", "Level 100"]);
      await settled(page);
      expect(calls).toEqual([]);
    });
  });

  it("a sidebar that is hidden at the start has the row of the page in sight when it is shown", {
    timeout,
  }, async () => {
    await site.withPage(site.setting.world.people.viewer, low, async (page) => {
      await page.context().addCookies([{ name: "kb_sidebar", value: "hidden", url: site.origin }]);
      await page.goto(`${site.origin}/documents/${path.at(-1)}`);
      await started(page);
      await settled(page);
      await page.getByRole("button", { name: "Show navigation" }).click();
      const isInSight = (): Promise<boolean> =>
        page.evaluate(() => {
          const row = document.querySelector('[role="treeitem"][aria-current="page"]')?.getBoundingClientRect();
          return row !== undefined && row.height > 0 && row.top >= 0 && row.bottom <= innerHeight;
        });
      await expect.poll(isInSight).toBe(true);
    });
  });

  it("keys move through the tree, open and close rows, and open documents", {
    meta: { proves: ["web.sidebar.keys"] },
    timeout,
  }, async () => {
    await site.withPage(site.setting.world.people.viewer, desk, async (page) => {
      await open(page);
      await row(page, "Deep").focus();
      await page.keyboard.press("ArrowRight");
      await row(page, "Level 1").waitFor();
      // At once, so that no letter comes too late. Shift and the like do not begin anew.
      await page.evaluate(() => {
        for (const key of ["Shift", "l", "CapsLock", "a"])
          document.activeElement?.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
      });
      await focusRow(page, "Large");
      await page.keyboard.press("Home");
      await focusRow(page, "Deep");
      await page.keyboard.press("ArrowRight");
      await focusRow(page, "Level 1");
      await page.keyboard.press("ArrowRight");
      await row(page, "Level 2").waitFor();
      await page.keyboard.press("ArrowDown");
      await focusRow(page, "Level 2");
      await page.keyboard.press("ArrowLeft");
      await focusRow(page, "Level 1");
      await page.keyboard.press("ArrowLeft");
      await row(page, "Level 2").waitFor({ state: "detached" });
      await page.keyboard.press("ArrowLeft");
      await focusRow(page, "Deep");
      // A space within a title does not open the row.
      await page.keyboard.type("level 1");
      await focusRow(page, "Level 1");
      await page.keyboard.press("Home");
      await focusRow(page, "Deep");
      await page.keyboard.type("lar");
      await focusRow(page, "Large");
      await page.keyboard.press("Home");
      await focusRow(page, "Deep");
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Enter");
      await page.locator("h1:focus", { hasText: "Level 1" }).waitFor();
      // The open rows are kept for the next visit.
      await open(page);
      await row(page, "Level 1").waitFor();
    });
  });

  it("Tab right after an arrow leads to the buttons of the row, and Shift+F10 opens its menu", {
    meta: { proves: ["web.sidebar.keys"] },
    timeout,
  }, async () => {
    await site.withPage(site.setting.world.people.editor, desk, async (page) => {
      await open(page);
      await row(page, "Deep").focus();
      await page.keyboard.press("ArrowRight");
      await row(page, "Level 1").waitFor();
      // In one task, so that the selection does not rest before the second key.
      const press = (second: { key: string; shiftKey?: boolean }) =>
        page.evaluate(async (init) => {
          for (const each of [{ key: "ArrowDown" }, init]) {
            const event = new KeyboardEvent("keydown", { ...each, bubbles: true, cancelable: true });
            document.activeElement?.dispatchEvent(event);
            await Promise.resolve();
          }
          return document.activeElement?.querySelectorAll("button").length;
        }, second);
      expect(await press({ key: "Tab" })).toBe(2);
      await focusRow(page, "Level 1");
      await page.keyboard.press("Tab");
      await row(page, "Level 1").locator("button:focus").waitFor();
      await row(page, "Deep").focus();
      await row(page, "Level 1").locator("button").first().waitFor({ state: "detached" });
      expect(await press({ key: "F10", shiftKey: true })).toBe(2);
      await page.locator("[role=menuitem]:focus").waitFor();
      await page.keyboard.press("Escape");
      await focusRow(page, "Level 1");
    });
  });

  it("the row of the page stays where it is when the documents of a collection above it come", {
    timeout,
  }, async () => {
    const { people, documents } = site.setting.world;
    await site.withPage(people.viewer, low, async (page) => {
      await open(page);
      await row(page, "Large").focus();
      await page.keyboard.press("ArrowRight");
      await row(page, "Page 00001").waitFor();
      let comes = (): void => {};
      const coming = new Promise<void>((resolve) => {
        comes = resolve;
      });
      await page.route("**/api/documents.tree", async (route) => {
        await coming;
        await route.continue();
      });
      const asked = page.waitForRequest("**/api/documents.tree");
      await open(page, `/documents/${documents.guide.id}`);
      await asked;
      const current = page.locator('[role="treeitem"][aria-current="page"]');
      const topOf = async (): Promise<number> => (await current.boundingBox())?.y ?? Number.NaN;
      await current.waitFor();
      const before = await topOf();
      comes();
      await settled(page);
      expect(await topOf()).toBeCloseTo(before, 0);
      // The rows that have come are above it.
      await current.focus();
      await page.keyboard.press("Home");
      await row(page, "Page 00001").waitFor();
    });
  });
});
