import { callerOf } from "@kb/core/testing";
import { timeout } from "@kb/testing/chromium";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { chosen, settled, started } from "./site.ts";
import { siteOfSuite } from "./site-of-suite.ts";

const site = await siteOfSuite();
const { world } = site.setting;
const editor = callerOf(world, world.people.editor);
const create = async (title: string, parentDocumentId?: string): Promise<string> =>
  (await editor.create({ title, parentDocumentId, publish: true, collectionId: world.collections.open })).id;

async function openMove(page: Page, id: string): Promise<void> {
  await page.goto(`${site.origin}/documents/${id}`);
  await started(page);
  await page.getByRole("button", { name: "Actions" }).waitFor();
  await page.keyboard.press("m");
  await page.locator("[role=dialog] input:focus").waitFor();
}

describe("moving a document", () => {
  it("below a document that lies below it is refused by the service, in words, and changes nothing", {
    timeout,
  }, async () => {
    const above = await create("The upper one");
    const below = await create("The lower one", above);
    await site.withPage(world.people.editor, { expected: [/status of 409/] }, async (page) => {
      await openMove(page, above);
      await page.keyboard.type("The lower");
      await chosen(page, "The lower one");
      await page.keyboard.press("Enter");
      const reason = page.getByRole("dialog").getByRole("alert");
      await reason.waitFor();
      expect(await reason.textContent()).toMatch(/^.?The upper one.? was not moved\. \S/);
    });
    expect((await editor.get(above)).parentDocumentId).toBeNull();
    expect((await editor.get(below)).parentDocumentId).toBe(above);
  });

  it("names the readers of another collection to those who manage it, and to nobody else", {
    timeout: 2 * timeout,
  }, async () => {
    const id = await create("On its way");
    const { admin, member, viewer } = world.people;
    await site.withPage(admin, {}, async (page) => {
      await openMove(page, id);
      await page.keyboard.type("Granted");
      await chosen(page, "Granted");
      const readers = page.getByRole("dialog").getByText(/^Readers of .?Granted/);
      await readers.waitFor();
      const text = (await readers.textContent()) ?? "";
      for (const { name } of [member, viewer]) expect(text).toContain(name);
      await page.keyboard.press("Control+a");
      await page.keyboard.type("Open");
      await chosen(page, "Open");
      await readers.waitFor({ state: "detached" });
    });
    await site.withPage(member, {}, async (page) => {
      await openMove(page, id);
      await page.keyboard.type("Granted");
      await chosen(page, "Granted");
      await settled(page);
      expect(
        await page
          .getByRole("dialog")
          .getByText(/^Readers of/)
          .count(),
      ).toBe(0);
    });
  });

  it("offers the places that were chosen last, but not the document itself", { timeout: 2 * timeout }, async () => {
    const shelf = await create("A shelf of its own");
    const books = [await create("First book"), await create("Second book")];
    await site.withPage(world.people.editor, {}, async (page) => {
      await openMove(page, books[0] ?? "");
      expect(await page.getByRole("group", { name: "Last used" }).count()).toBe(0);
      await page.keyboard.type("A shelf");
      await chosen(page, "A shelf of its own");
      await page.keyboard.press("Enter");
      await page.getByRole("dialog").waitFor({ state: "detached" });
      // Within the same page, which remembers it.
      await page.getByRole("treeitem", { name: "Second book" }).getByRole("link").click();
      await page.getByRole("main").getByRole("heading", { level: 1, name: "Second book" }).waitFor();
      await page.keyboard.press("m");
      const last = page.getByRole("group", { name: "Last used" }).getByRole("menuitem");
      await last.first().waitFor();
      expect(await last.count()).toBe(1);
      await last.first().click();
      await page.getByRole("dialog").waitFor({ state: "detached" });
      await page.getByRole("main").locator(".crumbs").getByText("A shelf of its own").waitFor();
      await page.getByRole("main").locator(".crumbs").getByRole("link", { name: "A shelf of its own" }).click();
      await page.getByRole("main").getByRole("heading", { level: 1, name: "A shelf of its own" }).waitFor();
      await page.keyboard.press("m");
      await page.getByRole("dialog").getByRole("menuitem", { name: "Open", exact: true }).waitFor();
      expect(await last.count()).toBe(0);
    });
    for (const book of books) expect((await editor.get(book)).parentDocumentId).toBe(shelf);
  });

  it("offers a place that was chosen last by its title of now, and not once it is in the trash", {
    timeout: 2 * timeout,
  }, async () => {
    const shelf = await create("A shelf with an old title");
    const first = await create("First note");
    const second = await create("Second note");
    // The shelf is open in the tree when it leaves.
    await site.withPage(world.people.editor, { possible: [/404 .*documents\.tree/] }, async (page) => {
      const openAgain = async (): Promise<void> => {
        await page.keyboard.press("m");
        await page.getByRole("dialog").getByRole("menuitem", { name: "Open", exact: true }).waitFor();
      };
      await openMove(page, first);
      await page.keyboard.type("A shelf with");
      await chosen(page, "A shelf with an old title");
      await page.keyboard.press("Enter");
      await page.getByRole("dialog").waitFor({ state: "detached" });
      await page.getByRole("treeitem", { name: "Second note" }).getByRole("link").click();
      await page.getByRole("main").getByRole("heading", { level: 1, name: "Second note" }).waitFor();
      await editor.update(shelf, { title: "A shelf with a new title" });
      await openAgain();
      const last = page.getByRole("group", { name: "Last used" }).getByRole("menuitem");
      await last.filter({ hasText: "A shelf with a new title" }).waitFor();
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
      await editor.delete(shelf);
      await page.getByRole("treeitem", { name: "A shelf with a new title" }).waitFor({ state: "detached" });
      await openAgain();
      await settled(page);
      expect(await last.count()).toBe(0);
    });
    expect((await editor.get(second)).parentDocumentId).toBeNull();
  });
});
