import { invoke, operations } from "@kb/core";
import { callerOf, type Person } from "@kb/core/testing";
import { timeout } from "@kb/testing/chromium";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSite, type Site, started } from "./site.ts";
import { openCollection } from "./tree-world.ts";

describe("trash and earlier versions in Chromium, by keyboard only", () => {
  let site: Site;
  beforeAll(async () => {
    site = await openSite();
  });
  afterAll(() => site?.close(), timeout);

  const admin = (): Person => site.setting.world.people.admin;
  async function trashed(title: string, by = admin(), collectionId = site.setting.world.collections.open) {
    const { service } = site.setting.world;
    const input = { collectionId, title, text: "Text.", publish: true };
    const { id } = await invoke(service, operations.createDocument, admin().actor, input);
    await invoke(service, operations.deleteDocument, by.actor, { id });
    return id;
  }
  const open = async (page: Page, path: string): Promise<void> => {
    await page.goto(`${site.origin}${path}`);
    await started(page);
    await page.locator("main .rows, main p.quiet").first().waitFor();
  };
  const button = (page: Page, name: string) => page.getByRole("main").getByRole("button", { name, exact: true });
  const link = (page: Page, name: string) => page.getByRole("main").getByRole("link", { name: new RegExp(name) });
  const heading = (page: Page) => page.locator("h1:focus").waitFor();

  it("a document is restored from the list of the trash, and from its own page", {
    meta: { proves: ["web.trash"] },
    timeout,
  }, async () => {
    const ids = [await trashed("From the list"), await trashed("From its page")];
    await site.withPage(site.setting.world.people.editor, {}, async (page) => {
      await open(page, "/trash");
      await button(page, "Restore: From the list").press("Enter");
      await link(page, "From the list").waitFor({ state: "detached" });
      await heading(page);
      await page
        .getByRole("status")
        .getByText(/From the list.* is back in its place\./)
        .waitFor();
      await page.getByRole("button", { name: "Open it" }).press("Enter");
      await page.locator("h1:focus", { hasText: "From the list" }).waitFor();
      await open(page, "/trash");
      await link(page, "From its page").press("Enter");
      await page.getByText("This document is in the trash.").waitFor();
      await button(page, "Restore").press("Enter");
      await page.getByText("This document is in the trash.").waitFor({ state: "detached" });
      // The button has left with its notice: keys go on from the heading.
      await page.locator("h1:focus", { hasText: "From its page" }).waitFor();
    });
    for (const id of ids) {
      const { service, people } = site.setting.world;
      expect(await invoke(service, operations.getDocument, people.viewer.actor, { id })).toMatchObject({
        deletedAt: null,
      });
    }
  });

  it("Delete forever asks first: the focus is on Cancel, Escape keeps the document, and only its button deletes it", {
    meta: { proves: ["web.trash"] },
    timeout,
  }, async () => {
    await trashed("Doomed");
    const kept = await trashed("Kept");
    await site.withPage(admin(), {}, async (page) => {
      await open(page, "/trash");
      const destroy = button(page, "Delete forever: Doomed");
      const dialog = page.getByRole("dialog", { name: "Delete “Doomed” forever?" });
      for (const close of ["Escape", "Enter"]) {
        await destroy.press("Enter");
        await dialog.locator("button:focus", { hasText: "Cancel" }).waitFor();
        await page.keyboard.press(close);
        await dialog.waitFor({ state: "detached" });
        await expect.poll(() => destroy.evaluate((element) => element === document.activeElement)).toBe(true);
      }
      await destroy.press("Enter");
      await dialog.locator("button:focus", { hasText: "Cancel" }).waitFor();
      await page.keyboard.press("Tab");
      await dialog.locator("button:focus", { hasText: "Delete forever" }).waitFor();
      await page.keyboard.press("Enter");
      await link(page, "Doomed").waitFor({ state: "detached" });
      await heading(page);
      await link(page, "Kept").waitFor();
    });
    const { service } = site.setting.world;
    await expect(invoke(service, operations.restoreDocument, admin().actor, { id: kept })).resolves.toMatchObject({
      id: kept,
    });
  });

  it("a document whose collection is gone is restored to another one", {
    meta: { proves: ["web.trash"] },
    timeout,
  }, async () => {
    const { world } = site.setting;
    const gone = await openCollection(world, "Gone");
    await openCollection(world, "A new home");
    const id = await trashed("Homeless", admin(), gone);
    await callerOf(world, await world.session(admin())).run(operations.deleteCollection, { id: gone });
    await site.withPage(admin(), { expected: [/409 .*documents/] }, async (page) => {
      await open(page, "/trash");
      await button(page, "Restore: Homeless").press("Enter");
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("combobox", { name: "Collection" }).selectOption({ label: "A new home" });
      await dialog.getByRole("button", { name: "Restore" }).press("Enter");
      await link(page, "Homeless").waitFor({ state: "detached" });
    });
    expect(await invoke(world.service, operations.getDocument, admin().actor, { id })).toMatchObject({
      deletedAt: null,
    });
  });

  it("the trash is emptied only after its word is typed", { meta: { proves: ["web.trash"] }, timeout }, async () => {
    await trashed("Rubbish");
    await site.withPage(admin(), {}, async (page) => {
      await open(page, "/trash");
      await link(page, "Rubbish").waitFor();
      await button(page, "Empty trash").press("Enter");
      const dialog = page.getByRole("dialog", { name: "Empty the trash?" });
      await dialog.locator("input:focus").waitFor();
      await page.keyboard.type("delet");
      await page.keyboard.press("Enter");
      expect(await dialog.getByRole("button", { name: "Empty trash" }).isDisabled()).toBe(true);
      await page.keyboard.type("e");
      await page.keyboard.press("Enter");
      await page.getByText("The trash is empty.").waitFor();
    });
  });

  it("a person sees in the trash what they may restore, and no button that is not theirs", {
    meta: { proves: ["web.trash", "web.abilities"] },
    timeout,
  }, async () => {
    const id = await trashed("Not for all");
    const { people } = site.setting.world;
    await site.withPage(people.editor, {}, async (page) => {
      await open(page, "/trash");
      await button(page, "Restore: Not for all").waitFor();
      expect(await page.getByRole("button", { name: /Delete forever|Empty trash/ }).count()).toBe(0);
    });
    for (const person of [people.member, people.viewer]) {
      await site.withPage(person, {}, async (page) => {
        await open(page, "/trash");
        await page.getByText("The trash is empty.").waitFor();
        expect(await page.getByRole("button", { name: /Restore|Delete forever|Empty trash/ }).count()).toBe(0);
        await page.goto(`${site.origin}/documents/${id}`);
        await page.getByRole("heading", { name: "Page not found" }).waitFor();
        expect(await page.content()).not.toContain("Not for all");
      });
    }
  });

  it("an earlier version is read and restored; somebody who may not edit only reads it", {
    meta: { proves: ["web.history.restore"] },
    timeout,
  }, async () => {
    const { service, people, collections } = site.setting.world;
    const input = { collectionId: collections.open, title: "Versions", text: "The first text.", publish: true };
    const { id } = await invoke(service, operations.createDocument, admin().actor, input);
    await invoke(service, operations.updateDocument, people.editor.actor, { id, text: "The second text." });
    await site.withPage(people.viewer, {}, async (page) => {
      await open(page, `/documents/${id}/history`);
      await link(page, "Revision 1").press("Enter");
      await page.getByRole("article").getByText("The first text.").waitFor();
      expect(await page.getByRole("button", { name: "Restore this version" }).count()).toBe(0);
    });
    await site.withPage(people.editor, {}, async (page) => {
      await open(page, `/documents/${id}/history`);
      await link(page, "Revision 2").press("Enter");
      await page.getByRole("article").getByText("The second text.").waitFor();
      expect(await page.getByRole("button", { name: "Restore this version" }).count()).toBe(0);
      await page.goBack();
      await link(page, "Revision 1").press("Enter");
      await button(page, "Restore this version").press("Enter");
      await page.locator("h1:focus", { hasText: "Versions" }).waitFor();
      await page.getByRole("article").getByText("The first text.").waitFor();
    });
    expect(await invoke(service, operations.getDocument, people.viewer.actor, { id })).toMatchObject({
      text: "The first text.",
    });
  });
});
