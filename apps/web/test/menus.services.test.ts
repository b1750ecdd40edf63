import { invoke, operations } from "@kb/core";
import { timeout } from "@kb/testing/chromium";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { tabTo } from "./keyboard.ts";
import { settled, started } from "./site.ts";
import { siteOfSuite } from "./site-of-suite.ts";

const site = await siteOfSuite();
const wide = { viewport: { width: 1280, height: 900 } };

/** The entry of a menu that has the focus. */
const focusedEntry = (page: Page) => page.locator("[role=menuitem]:focus, [role=menuitemradio]:focus");
const module = /\/assets\/account-menu-[^/]*\.js$/;

describe("menus in Chromium", () => {
  let id: string;
  beforeAll(async () => {
    const { service, people, collections } = site.setting.world;
    const input = { collectionId: collections.open, title: "Deploying", text: "Read this first.", publish: true };
    id = (await invoke(service, operations.createDocument, people.editor.actor, input)).id;
  }, timeout);

  const open = async (page: Page, path = "/"): Promise<void> => {
    await page.goto(`${site.origin}${path}`);
    await started(page);
  };

  it("Enter on the button of a menu gives its first entry the focus while the key is still held", {
    meta: { proves: ["web.keyboard"] },
    timeout,
  }, async () => {
    await site.withPage(site.setting.world.people.editor, wide, async (page) => {
      await open(page);
      const loaded = page.waitForResponse(module);
      await tabTo(page, /^Account/);
      await loaded;
      for (let time = 0; time < 5; time += 1) {
        await page.keyboard.down("Enter");
        await focusedEntry(page).waitFor();
        await page.keyboard.up("Enter");
        await page.keyboard.press("Escape");
        await page.locator(".bar-account:focus").waitFor();
        await page.getByRole("menu").waitFor({ state: "detached" });
      }
    });
  });

  it.each([
    ["en", "right"],
    ["ar", "left"],
  ] as const)(
    "the keys of a menu are one below the other at its end, in %s",
    {
      meta: { proves: ["web.page.accessible"] },
      timeout,
    },
    async (locale, side) => {
      await site.withPage(site.setting.world.people.editor, wide, async (page) => {
        await page.context().addCookies([{ name: "kb_locale", value: locale, url: site.origin }]);
        await open(page, `/documents/${id}`);
        await page.getByRole("main").locator("button[aria-haspopup=menu]").last().click();
        await focusedEntry(page).waitFor();
        const ends = await page
          .locator("[role=menuitem] kbd")
          .evaluateAll((all, end) => all.map((each) => Math.round(each.getBoundingClientRect()[end])), side);
        expect(ends.length).toBeGreaterThan(3);
        expect(new Set(ends).size).toBe(1);
      });
    },
  );

  it("a menu whose module comes late has the focus once it is there", {
    meta: { proves: ["web.keyboard"] },
    timeout,
  }, async () => {
    await site.withPage(site.setting.world.people.editor, wide, async (page) => {
      let release = (): void => {};
      const isAsked = new Promise<void>((resolve) => {
        void page.route(module, async (route) => {
          resolve();
          await new Promise<void>((end) => {
            release = end;
          });
          await route.continue();
        });
      });
      await open(page);
      await tabTo(page, /^Account/);
      await isAsked;
      await page.keyboard.press("Enter");
      await page.locator(".bar-account[aria-expanded=true]").waitFor();
      release();
      await focusedEntry(page).waitFor();
      await page.keyboard.press("End");
      await page.locator("[role=menuitem]:focus", { hasText: "Log out" }).waitFor();
    });
  });

  it("after a moment at rest the menus open without a network too", {
    meta: { proves: ["web.states"] },
    timeout,
  }, async () => {
    const { people, collections } = site.setting.world;
    await site.withPage(people.editor, { ...wide, possible: [/net::ERR_INTERNET_DISCONNECTED/] }, async (page) => {
      const close = async (): Promise<void> => {
        await focusedEntry(page).waitFor();
        await page.keyboard.press("Escape");
        await page.getByRole("menu").waitFor({ state: "detached" });
      };
      for (const [path, names] of [
        [`/documents/${id}`, ["account", "action"]],
        [`/collections/${collections.open}`, ["account", "action", "collection"]],
      ] as const) {
        const modules = names.map((name) => page.waitForResponse(new RegExp(`/assets/${name}-menu-[^/]*\\.js$`)));
        await open(page, path);
        await Promise.all(modules);
        await settled(page);
        await page.context().setOffline(true);
        for (const name of ["Account", "Actions"]) {
          await page.locator(".bar, .main").getByRole("button", { name }).press("Enter");
          await close();
        }
        await page.getByRole("treeitem", { name: "Deploying" }).press("Shift+F10");
        await close();
        await page.context().setOffline(false);
      }
    });
  });
});
