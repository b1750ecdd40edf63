import { operations } from "@kb/core";
import { callerOf } from "@kb/core/testing";
import { timeout } from "@kb/testing/chromium";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { chosen, openSite, type Site, started } from "./site.ts";

describe("quick open in Chromium", () => {
  let site: Site;
  let id: string;
  beforeAll(async () => {
    site = await openSite();
    const { world } = site.setting;
    const place = { collectionId: world.collections.open, publish: true };
    id = (await callerOf(world, world.people.editor).create({ title: "Opened lately", ...place })).id;
  });
  afterAll(() => site?.close(), timeout);

  const openOn = async (page: Page, path: string): Promise<void> => {
    await page.goto(`${site.origin}${path}`);
    await started(page);
    await page.keyboard.press("Control+k");
    await page.locator("[role=dialog] input:focus").waitFor();
  };

  it("shows what was opened last before anything is typed, and opens it in this tab or in a new one", {
    meta: { proves: ["web.quick-open.recent"] },
    timeout: 3 * timeout,
  }, async () => {
    await site.withPage(site.setting.world.people.member, {}, async (page) => {
      await page.goto(`${site.origin}/documents/${id}`);
      await started(page);
      // A view is written after its page was sent.
      const member = callerOf(site.setting.world, await site.setting.world.session(site.setting.world.people.member));
      await expect
        .poll(async () => (await member.run(operations.listRecent)).viewed?.map((one) => one.id), { timeout })
        .toContain(id);
      await openOn(page, "/");
      const recent = page.getByRole("group", { name: "Recently viewed" });
      await recent.getByRole("menuitem", { name: /^Opened lately/ }).waitFor();
      await page.keyboard.press("ArrowDown");
      await chosen(page, "Opened lately");
      await page.keyboard.press("Enter");
      await page.waitForURL(`**/documents/${id}`);
      await openOn(page, "/");
      await page.keyboard.type("lately");
      await chosen(page, "Opened lately");
      const [opened] = await Promise.all([page.context().waitForEvent("page"), page.keyboard.press("Control+Enter")]);
      await opened.waitForURL(`**/documents/${id}`);
      expect(new URL(page.url()).pathname).toBe("/");
      await page.getByRole("dialog").waitFor({ state: "detached" });
      await opened.close();
    });
  });

  it("creates a collection for those who may, by keyboard only, and goes there", { timeout: 2 * timeout }, async () => {
    const { people } = site.setting.world;
    await site.withPage(people.admin, {}, async (page) => {
      await openOn(page, "/");
      await page.keyboard.type("New coll");
      await chosen(page, "New collection");
      await page.keyboard.press("Enter");
      await page.locator("[role=dialog] input:focus:required").waitFor();
      await page.keyboard.type("Field notes");
      await page.keyboard.press("Enter");
      await page.getByRole("main").getByRole("heading", { level: 1, name: "Field notes" }).waitFor();
    });
    await site.withPage(people.viewer, {}, async (page) => {
      await openOn(page, "/");
      await page.keyboard.type("Go to");
      await page.getByRole("menuitem", { name: /^Go to drafts/i }).waitFor();
      await page.keyboard.press("Control+A");
      await page.keyboard.type("New coll");
      await page.getByRole("menuitem", { name: /^Go to drafts/i }).waitFor({ state: "detached" });
      expect(await page.getByRole("menuitem", { name: "New collection" }).count()).toBe(0);
    });
  });

  it("offers to create what was not found, with the words as its title, to those who may", {
    meta: { proves: ["web.quick-open.create"] },
    timeout: 3 * timeout,
  }, async () => {
    const { people } = site.setting.world;
    const words = "Aardvark & Söhne";
    await site.withPage(people.viewer, {}, async (page) => {
      await openOn(page, "/");
      await page.keyboard.type(words);
      await chosen(page, `Search everything for “${words}”`);
      expect(await page.getByRole("menuitem").count()).toBe(1);
    });
    await site.withPage(people.editor, {}, async (page) => {
      await openOn(page, `/collections/${site.setting.world.collections.open}`);
      await page.keyboard.type(words);
      await page.getByRole("menuitem", { name: /^Create document/ }).waitFor();
      await chosen(page, `Search everything for “${words}”`);
      await page.keyboard.press("ArrowDown");
      await chosen(page, "Create document");
      await page.keyboard.press("Enter");
      await page.waitForURL((url) => url.searchParams.get("edit") === "true");
      expect(await page.getByRole("textbox", { name: "Title" }).inputValue()).toBe(words);
    });
  });
});
