import { callerOf } from "@kb/core/testing";
import { timeout } from "@kb/testing/chromium";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { menuEntries, openSite, type Site, started } from "./site.ts";

const wide = { viewport: { width: 1280, height: 900 } };

describe("keys in Chromium", () => {
  let site: Site;
  let path: string;
  beforeAll(async () => {
    site = await openSite();
    const { world } = site.setting;
    const place = { collectionId: world.collections.open, publish: true };
    const text = "One.\n\n## Steps\n\nTwo.\n";
    const { id } = await callerOf(world, world.people.editor).create({ title: "Keys", text, ...place });
    path = `/documents/${id}`;
  });
  afterAll(() => site?.close(), timeout);

  const open = async (page: Page, where: string): Promise<void> => {
    await page.goto(`${site.origin}${where}`);
    await started(page);
  };
  const at = (page: Page, where: string | RegExp): Promise<void> =>
    page.waitForURL((url) => (typeof where === "string" ? url.pathname === where : where.test(url.href)));

  it("lead anywhere: sequences, the search, the list of keys, a new document", {
    meta: { proves: ["web.keys"] },
    timeout: 3 * timeout,
  }, async () => {
    await site.withPage(site.setting.world.people.editor, wide, async (page) => {
      await open(page, "/");
      for (const [second, where] of [
        ["d", "/drafts"],
        ["t", "/trash"],
        ["s", "/settings"],
        ["h", "/"],
      ] as const) {
        await page.keyboard.press("g");
        await page.keyboard.press(second);
        await at(page, where);
      }
      await page.keyboard.press("?");
      const dialog = page.getByRole("dialog", { name: "Keyboard shortcuts" });
      await dialog.getByText("Next part of the page").waitFor();
      // In front of a layer no key of the page works.
      await page.keyboard.press("n");
      await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "detached" });
      await page.keyboard.press("/");
      await at(page, "/search");
      await page.locator(".search-form [type=search]:focus").waitFor();
      await page.keyboard.type("/g?");
      expect(await page.getByRole("main").getByRole("searchbox").inputValue()).toBe("/g?");
      await open(page, path);
      await page.keyboard.press("n");
      await at(page, /edit=true/);
    });
  });

  it("act on the document that is read, and its menu shows them", {
    meta: { proves: ["web.keys"] },
    timeout: 3 * timeout,
  }, async () => {
    await site.withPage(site.setting.world.people.editor, wide, async (page) => {
      await open(page, path);
      await page.keyboard.press("o");
      await page.locator(".outline a:focus", { hasText: "Steps" }).waitFor();
      await page.keyboard.press("s");
      await page.locator('.star[aria-pressed="true"]').waitFor();
      await page.keyboard.press("m");
      await page.getByRole("dialog").waitFor();
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
      await page.getByRole("main").getByRole("button", { name: "Actions" }).click();
      expect(await menuEntries(page)).toContain("History");
      const keys = page.locator("[role=menuitem] kbd");
      expect(await keys.evaluateAll((all) => all.map((one) => one.getAttribute("data-keys")))).toEqual([
        "E",
        "M",
        "S",
        "H",
        "P",
      ]);
      await page.keyboard.press("Escape");
      await page.getByRole("menu").waitFor({ state: "detached" });
      await page.keyboard.press("h");
      await at(page, `${path}/history`);
      await page.goBack();
      await page.locator("h1", { hasText: "Keys" }).waitFor();
      await page.keyboard.press("Control+Enter");
      await at(page, /edit=true/);
      await page.getByRole("textbox", { name: "Text", exact: true }).waitFor();
      await page.keyboard.press("Control+Enter");
      await page.waitForURL((url) => url.search === "");
    });
  });

  it("that a role may not use do nothing", { meta: { proves: ["web.keys"] }, timeout: 2 * timeout }, async () => {
    await site.withPage(site.setting.world.people.viewer, wide, async (page) => {
      await open(page, path);
      for (const key of ["e", "m", "n", "Control+Enter"]) await page.keyboard.press(key);
      // A later key that does something: the earlier ones have been handled by then.
      await page.keyboard.press("g");
      await page.keyboard.press("h");
      await at(page, "/");
      expect(await page.getByRole("dialog").count()).toBe(0);
    });
  });

  it("of one letter can be switched off, also for later pages; the others go on", {
    meta: { proves: ["web.keys.single"] },
    timeout: 2 * timeout,
  }, async () => {
    await site.withPage(site.setting.world.people.editor, wide, async (page) => {
      await open(page, "/help");
      const single = page.getByRole("checkbox", { name: /single key/ });
      await single.uncheck();
      await page.locator('html[data-keys="off"]').waitFor();
      for (const where of ["/help", "/help"]) {
        await page.locator("h1").focus();
        for (const key of ["?", "n", "g", "d", "["]) await page.keyboard.press(key);
        await page.keyboard.press("Control+k");
        await page.getByRole("dialog", { name: "Quick open" }).waitFor();
        await page.keyboard.press("Escape");
        await page.getByRole("dialog").waitFor({ state: "detached" });
        expect(new URL(page.url()).pathname).toBe(where);
        await open(page, where);
      }
      await single.check();
      await page.locator("h1").focus();
      await page.keyboard.press("g");
      await page.keyboard.press("d");
      await at(page, "/drafts");
    });
  });

  it("F6 goes through the parts of the page and back; `[` hides the navigation, and a later page keeps that", {
    meta: { proves: ["web.keys"] },
    timeout: 2 * timeout,
  }, async () => {
    await site.withPage(site.setting.world.people.editor, wide, async (page) => {
      await open(page, path);
      await page.locator("h1").focus();
      const region = () =>
        page.evaluate(() => document.activeElement?.closest(".bar, .sidebar, .main, .aside")?.className ?? "none");
      const visited: string[] = [];
      for (const key of ["F6", "F6", "F6", "F6", "Shift+F6"]) {
        await page.keyboard.press(key);
        visited.push(await region());
      }
      expect(visited).toEqual(["aside", "bar", "sidebar", "main", "sidebar"]);
      await page.locator("h1").focus();
      await page.keyboard.press("[");
      await page.locator(".sidebar").waitFor({ state: "hidden" });
      await open(page, path);
      expect(await page.locator(".sidebar").isVisible()).toBe(false);
      await page.getByRole("button", { name: "Show navigation" }).click();
      await page.locator(".sidebar").waitFor();
      await page.setViewportSize({ width: 320, height: 700 });
      await page.locator("h1").focus();
      await page.keyboard.press("[");
      await page.getByRole("dialog", { name: "Navigation" }).waitFor();
    });
  });

  it("`Help and shortcuts` is the last of the navigation on every screen, also without script", {
    meta: { proves: ["web.keys"] },
    timeout: 2 * timeout,
  }, async () => {
    for (const javaScriptEnabled of [true, false]) {
      await site.withPage(site.setting.world.people.viewer, { ...wide, javaScriptEnabled }, async (page) => {
        for (const where of ["/", path, "/search", "/trash"]) {
          await page.goto(`${site.origin}${where}`);
          if (javaScriptEnabled) await started(page);
          const last = page.getByRole("navigation", { name: "Navigation" }).locator("a, button").last();
          expect(await last.textContent(), where).toBe("Help and shortcuts");
        }
        await page.getByRole("link", { name: "Help and shortcuts" }).click();
        await page.getByText("Previous part of the page").waitFor();
      });
    }
  });
});
