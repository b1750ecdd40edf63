import { operations } from "@kb/core";
import { addPerson, outcomeOf, sessionCallerOf } from "@kb/core/testing";
import { timeout } from "@kb/testing/chromium";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { started } from "./site.ts";
import { siteOfSuite } from "./site-of-suite.ts";

const site = await siteOfSuite();

describe("people and groups in Chromium", () => {
  const open = async (page: Page, path: string): Promise<void> => {
    await page.goto(`${site.origin}/settings${path}`);
    await started(page);
  };

  it("somebody is found, changed, suspended and let in again; a taken address is named at its field", {
    timeout: 2 * timeout,
  }, async () => {
    const { world } = site.setting;
    await addPerson(world, "Editors");
    await site.withPage(world.people.admin, { expected: [/status of 409/] }, async (page) => {
      await open(page, "/people");
      const search = page.getByLabel("Name or address");
      await search.fill("new of");
      await search.press("Enter");
      await page.getByText("1 person").waitFor();
      expect(new URL(page.url()).searchParams.get("query")).toBe("new of");
      const row = page.locator(".settings-content .rows > li");
      await row.getByText("Editors", { exact: true }).waitFor();
      await page.getByRole("button", { name: /Edit .*New of/ }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("E-mail address").fill(world.people.editor.email);
      await dialog.getByRole("button", { name: "Save" }).click();
      await dialog.locator("[aria-invalid=true]").waitFor();
      await dialog.getByLabel("E-mail address").fill("ada@example.com");
      await dialog.getByLabel("Name").fill("Ada King");
      await dialog.getByRole("button", { name: "Save" }).click();
      await page.getByText(/Ada King.* is saved/).waitFor();
      await dialog.waitFor({ state: "detached" });
      await search.fill("ada king");
      await search.press("Enter");
      await page.getByRole("button", { name: /Suspend .*Ada King/ }).click();
      await dialog.getByRole("button", { name: "Suspend" }).click();
      await page.getByText("Nobody matches.").waitFor();
      await page.getByLabel("Show").selectOption("Suspended people");
      await page.getByRole("button", { name: /Let in again: .*Ada King/ }).click();
      await page.getByText(/Ada King.* can log in again/).waitFor();
    });
  });

  it("the last admin keeps their group and is told why, and nobody suspends themselves", { timeout }, async () => {
    const { world } = site.setting;
    await site.withPage(world.people.admin, { expected: [/status of 409/] }, async (page) => {
      await open(page, "/people?query=admin");
      const row = page.locator(".settings-content .rows > li", { hasText: "You" });
      await row.waitFor();
      expect(await row.getByRole("button").count()).toBe(1);
      await row.getByRole("button").click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Admins").uncheck();
      await dialog.getByRole("button", { name: "Save" }).click();
      await dialog.getByText("This is the last active admin. Make another user an admin first.").waitFor();
    });
  });

  it("a group is made with what its members may do, changed, and deleted with what that removes", {
    timeout,
  }, async () => {
    const { world } = site.setting;
    const admin = await sessionCallerOf(world, world.people.admin);
    await site.withPage(world.people.admin, {}, async (page) => {
      await open(page, "/groups");
      await page.getByRole("button", { name: "New group" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("textbox", { name: "Name" }).fill("Publishers");
      await dialog.getByLabel("Publish documents, and archive them").check();
      await dialog.getByRole("button", { name: "Create group" }).click();
      await page.getByText(/Publishers.* is saved/).waitFor();
      const { data } = await admin.run(operations.listGroups, {});
      const made = data.find(({ name }) => name === "Publishers");
      expect(made?.capabilities).toEqual(["document.read", "document.publish"]);
      await page.getByRole("button", { name: /Edit .*Publishers/ }).click();
      await dialog.getByLabel("Read the audit log").check();
      await dialog.getByRole("button", { name: "Save" }).click();
      await dialog.waitFor({ state: "detached" });
      await page.getByRole("button", { name: /Delete .*Publishers/ }).click();
      await dialog.getByText(/0 members lose the permissions/).waitFor();
      await dialog.getByRole("button", { name: "Delete" }).click();
      await page.getByText(/Publishers.* is deleted/).waitFor();
      for (const name of ["Admins", "Editors", "Members", "Viewers"]) {
        expect(await page.getByRole("button", { name: new RegExp(`Delete .*${name}`) }).count()).toBe(0);
      }
      expect(await page.getByRole("button", { name: /Edit .*Admins/ }).count()).toBe(0);
      await page.getByRole("link", { name: /Show members of .*Viewers/ }).click();
      await page.getByRole("heading", { level: 1, name: "People" }).waitFor();
      await page.getByText("1 person").waitFor();
    });
  });

  it.for(["editor", "member", "viewer"] as const)(
    "%s finds neither people nor groups, as the operations say",
    { timeout },
    async (role) => {
      const person = site.setting.world.people[role];
      const caller = await sessionCallerOf(site.setting.world, person);
      expect(await outcomeOf(caller.run(operations.listUsers, {}))).toBe("forbidden");
      expect(await outcomeOf(caller.run(operations.listGroups, {}))).toBe("forbidden");
      await site.withPage(person, {}, async (page) => {
        await open(page, "");
        for (const name of ["People", "Groups"]) expect(await page.getByRole("link", { name }).count()).toBe(0);
        for (const path of ["people", "groups"]) {
          expect((await page.goto(`${site.origin}/settings/${path}`))?.status()).toBe(404);
        }
      });
    },
  );
});
