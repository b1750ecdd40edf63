import { admin, invoke, operations } from "@kb/core";
import { timeout } from "@kb/testing/chromium";
import { type WatchedOptions, withWatchedContext } from "@kb/testing/page-problems";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { tabTo } from "./keyboard.ts";
import { chosen, openSite, type Site, started } from "./site.ts";
import { openCollection } from "./tree-world.ts";

/** Runs a command of quick open. */
async function command(page: Page, name: string): Promise<void> {
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.keyboard.press("Control+k");
  await page.locator("[role=dialog] input:focus").waitFor();
  await page.keyboard.type(`>${name}`);
  await chosen(page, name);
  const typed = await page.locator("[role=dialog] input:focus").elementHandle();
  await page.keyboard.press("Enter");
  // Quick open has the focus until it is closed.
  await typed?.waitForElementState("hidden");
}

const field = (page: Page): Promise<void> => page.locator("[role=dialog] input:focus").waitFor();
const closed = (page: Page): Promise<void> => page.getByRole("dialog").waitFor({ state: "detached" });
const heading = (page: Page, name: string): Promise<void> => page.locator("h1:focus", { hasText: name }).waitFor();
const crumb = (page: Page, name: string): Promise<void> =>
  page.getByRole("navigation", { name: "Breadcrumbs" }).getByText(name).waitFor();

describe("a day with the app, by keyboard only, in Chromium", () => {
  let site: Site;
  beforeAll(async () => {
    site = await openSite();
    await openCollection(site.setting.world, "Another shelf");
  });
  afterAll(() => site?.close(), timeout);

  const options: WatchedOptions = {
    viewport: { width: 1280, height: 900 },
    possible: [/404 .*(documents|attachments)/],
  };
  /** A pointer that is used by mistake fails the test as a problem of the page. */
  const forbidPointer = (page: Page): Promise<unknown> =>
    page.addInitScript(() => addEventListener("pointerdown", () => console.error("a pointer was used"), true));
  const withKeyboard = (use: (page: Page) => Promise<void>): Promise<void> =>
    site.withPage(site.setting.world.people.editor, options, async (page) => {
      await forbidPointer(page);
      await use(page);
    });
  const open = async (page: Page, path: string): Promise<void> => {
    await page.goto(`${site.origin}${path}`);
    await started(page);
  };
  const create = async (title: string, text: string): Promise<string> => {
    const { service, people, collections } = site.setting.world;
    const input = { collectionId: collections.open, title, text, publish: true };
    return (await invoke(service, operations.createDocument, people.editor.actor, input)).id;
  };

  it("a person logs in, goes through the tree, finds a document, narrows a search, and logs out", {
    meta: { proves: ["web.keyboard"] },
    timeout: 3 * timeout,
  }, async () => {
    const { world } = site.setting;
    const { email } = world.people.editor;
    await admin.setPassword(world.service, email, "a password of a length");
    await create("Harbour plan", "The cranes stand in the north.");
    await withWatchedContext(site.browser, options, async (context) => {
      const page = await context.newPage();
      await forbidPointer(page);
      await page.goto(`${site.origin}/`);
      await page.locator("#email:focus").waitFor();
      await page.keyboard.type(email);
      await page.keyboard.press("Tab");
      await page.keyboard.type("a password of a length");
      await page.keyboard.press("Enter");
      await started(page);
      // The tree is one stop; the arrows move in it.
      await page.locator("[role=treeitem]").first().waitFor();
      await tabTo(page, /^Another shelf$/);
      await page.keyboard.type("open");
      await page.keyboard.press("ArrowRight");
      const row = page.getByRole("treeitem", { name: "Harbour plan" });
      await row.waitFor();
      await page.keyboard.type("harbour");
      await page.locator("[role=treeitem]:focus", { hasText: "Harbour plan" }).waitFor();
      await page.keyboard.press("Enter");
      await heading(page, "Harbour plan");
      // A search with a filter.
      await page.keyboard.press("/");
      await page.locator(".search-form [type=search]:focus").waitFor();
      await page.keyboard.type("cranes");
      await page.keyboard.press("Enter");
      await page.getByRole("main").getByRole("link", { name: "Harbour plan" }).waitFor();
      await tabTo(page, /^All collections/);
      await page.keyboard.type("Another");
      await page.waitForURL(/collection=/);
      await page.getByRole("main").getByRole("link", { name: "Harbour plan" }).waitFor({ state: "detached" });
      await page.keyboard.press("Home");
      await page.waitForURL((url) => !url.searchParams.has("collection"));
      await tabTo(page, /^Harbour plan/);
      await page.keyboard.press("Enter");
      await heading(page, "Harbour plan");
      // The account's menu.
      await tabTo(page, /^Account/, "Shift+Tab");
      await page.keyboard.press("Enter");
      await page.locator("[role=menuitem]:focus, [role=menuitemradio]:focus").waitFor();
      await page.keyboard.press("End");
      await page.locator("[role=menuitem]:focus", { hasText: "Log out" }).waitFor();
      await page.keyboard.press("Enter");
      await page.waitForURL(/logout/);
      await tabTo(page, /^Log out$/);
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "You are logged out" }).waitFor();
      await page.goto(`${site.origin}/drafts`);
      await page.locator("#email").waitFor();
    });
  });

  it("a person creates, writes, publishes, renames, tags, moves and stars a document", {
    meta: { proves: ["web.keyboard"] },
    timeout: 4 * timeout,
  }, async () => {
    const { collections } = site.setting.world;
    await withKeyboard(async (page) => {
      await open(page, `/collections/${collections.open}`);
      await page.keyboard.press("n");
      await page.locator('textarea[aria-label="Title"]:focus').waitFor();
      await page.keyboard.type("By hand");
      await page.keyboard.press("Tab");
      await page.keyboard.type("# Plan\n\nThe first text.");
      await page.keyboard.press("Control+Enter");
      await heading(page, "By hand");
      await page.getByRole("article").getByText("The first text.").waitFor();
      await command(page, "Publish");
      await page.getByText("Published.").waitFor();
      await command(page, "Rename");
      await field(page);
      await page.keyboard.press("Control+a");
      await page.keyboard.type("Renamed by hand");
      await page.keyboard.press("Enter");
      await page.locator("h1", { hasText: "Renamed by hand" }).waitFor();
      await closed(page);
      await command(page, "Change emoji");
      await field(page);
      await page.keyboard.type("🚢");
      await page.keyboard.press("Enter");
      await page.locator("h1", { hasText: "🚢" }).waitFor();
      await command(page, "Edit tags");
      await field(page);
      await page.keyboard.type("Handmade");
      await chosen(page, "Create tag");
      await page.keyboard.press("Enter");
      await page.getByRole("button", { name: "Remove tag" }).waitFor();
      await tabTo(page, /^Save$/);
      await page.keyboard.press("Enter");
      await page.getByRole("list", { name: "Tags" }).getByText("handmade").waitFor();
      await closed(page);
      await page.keyboard.press("m");
      await field(page);
      await page.keyboard.type("Another");
      await chosen(page, "Another shelf");
      await page.keyboard.press("Enter");
      await crumb(page, "Another shelf");
      await closed(page);
      await page.keyboard.press("s");
      await page.getByRole("region", { name: "Starred" }).getByText("Renamed by hand").waitFor();
    });
  });

  it("a person reads what a colleague changed, and brings the earlier version back", {
    meta: { proves: ["web.keyboard"] },
    timeout: 3 * timeout,
  }, async () => {
    const { service, people } = site.setting.world;
    const id = await create("Changed", "The first text.");
    await invoke(service, operations.updateDocument, people.admin.actor, { id, text: "The text of a colleague." });
    await withKeyboard(async (page) => {
      await open(page, `/documents/${id}`);
      await page.keyboard.press("h");
      await heading(page, "History of");
      await page.locator("main .rows a").nth(1).waitFor();
      await tabTo(page, /^Revision 2/);
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "Changes since the version before" }).waitFor();
      await page.goBack();
      await page.locator("main .rows a").nth(1).waitFor();
      await tabTo(page, /^Revision 1/);
      await page.keyboard.press("Enter");
      await page.getByRole("article").getByText("The first text.").waitFor();
      await tabTo(page, /^Restore this version$/);
      await page.keyboard.press("Enter");
      await heading(page, "Changed");
      await page.getByRole("article").getByText("The first text.").waitFor();
    });
  });

  it("a person follows a link back, archives and deletes a document, and takes both back", {
    meta: { proves: ["web.keyboard"] },
    timeout: 3 * timeout,
  }, async () => {
    const id = await create("Target", "Text.");
    await create("Source", `See [the target](/documents/${id}).`);
    await withKeyboard(async (page) => {
      await open(page, `/documents/${id}`);
      await page.getByRole("heading", { name: "Linked from" }).waitFor();
      await tabTo(page, /^Source/);
      await page.keyboard.press("Enter");
      await heading(page, "Source");
      await tabTo(page, /^the target$/);
      await page.keyboard.press("Enter");
      await heading(page, "Target");
      await command(page, "Archive");
      await page.getByText("This document is archived.").waitFor();
      await command(page, "Unarchive");
      await page.getByText("This document is archived.").waitFor({ state: "detached" });
      await command(page, "Move to trash");
      await page.locator("h1", { hasText: /open/i }).waitFor();
      await tabTo(page, /^Trash$/);
      await page.keyboard.press("Enter");
      await heading(page, "Trash");
      await tabTo(page, /^Restore: Target$/);
      await page.keyboard.press("Enter");
      await page.getByRole("button", { name: "Restore: Target" }).waitFor({ state: "detached" });
      const { service, people } = site.setting.world;
      const document = await invoke(service, operations.getDocument, people.editor.actor, { id });
      expect(document).toMatchObject({ archivedAt: null, deletedAt: null });
    });
  });

  it("a person opens every page of the settings, and changes their name", {
    meta: { proves: ["web.keyboard"] },
    timeout: 3 * timeout,
  }, async () => {
    await site.withPage(site.setting.world.people.admin, options, async (page) => {
      await forbidPointer(page);
      await open(page, "/");
      await tabTo(page, /^Settings$/);
      await page.keyboard.press("Enter");
      await heading(page, "Settings");
      const titles = page.locator("main .rows .row-title");
      await titles.first().waitFor();
      const names = await titles.allTextContents();
      expect(names.length).toBeGreaterThan(8);
      await tabTo(page, new RegExp(`^${names[0]}`));
      await page.keyboard.press("Enter");
      await page.locator('.settings-navigation [aria-current="page"]').waitFor();
      // Backwards from the heading: the sidebar has a link "Tags" too.
      for (const name of names.slice(1)) {
        await tabTo(page, new RegExp(`^${name}$`), "Shift+Tab");
        await page.keyboard.press("Enter");
        await page.locator("h1:focus").waitFor();
        await page.locator('.settings-navigation [aria-current="page"]', { hasText: name }).waitFor();
      }
      await open(page, "/settings/you");
      await tabTo(page, /^Name/);
      await page.keyboard.press("Control+a");
      await page.keyboard.type("Renamed by keys");
      await page.keyboard.press("Enter");
      await page.getByRole("button", { name: "Account: Renamed by keys" }).waitFor();
    });
  });
});
