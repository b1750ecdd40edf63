import { operations } from "@kb/core";
import { sessionCallerOf } from "@kb/core/testing";
import { timeout } from "@kb/testing/chromium";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { started } from "./site.ts";
import { siteOfSuite } from "./site-of-suite.ts";

const site = await siteOfSuite();

describe("channels, tags, the audit log and the team in Chromium", () => {
  const open = async (page: Page, path: string): Promise<void> => {
    await page.goto(`${site.origin}/settings${path}`);
    await started(page);
  };

  it("a channel is made, its token reads it at the address to copy until it is revoked, and it is deleted", {
    timeout: 2 * timeout,
  }, async () => {
    const { people } = site.setting.world;
    await site.withPage(people.admin, { expected: [/status of 400/] }, async (page) => {
      await open(page, "/channels/new");
      await page.getByLabel("Name").fill("Help center");
      await page.getByRole("button", { name: "Create channel" }).click();
      await page.getByText("A channel needs at least one collection or tag to publish.").waitFor();
      await page.getByRole("checkbox", { name: "Open", exact: true }).check();
      await page.getByRole("button", { name: "Create channel" }).click();
      await page.getByRole("heading", { level: 1, name: "Help center" }).waitFor();
      await page.getByRole("button", { name: "New token" }).click();
      await page.getByRole("dialog").getByLabel("Name").fill("Website");
      await page.getByRole("dialog").getByRole("button", { name: "Create token" }).click();
      const secret = page.getByRole("dialog", { name: "The new token" });
      const token = await secret.getByRole("status", { name: "Channel token" }).textContent();
      await secret.getByRole("button", { name: "I’ve saved it" }).click();
      const address = (await page.getByRole("status", { name: "Address of the documents" }).textContent()) ?? "";
      const read = async (): Promise<number> =>
        (await fetch(address, { headers: { Authorization: `Bearer ${token}` } })).status;
      expect(await read()).toBe(200);
      await page.getByRole("button", { name: /Revoke .*Website/ }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
      await page.getByText(/Website.* is revoked/).waitFor();
      expect(await read()).toBe(401);
      await page.getByRole("button", { name: "Delete channel" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Delete channel" }).click();
      await page.getByText("No channels yet.").waitFor();
    });
  });

  it("tags are made, renamed and deleted; a restricted one is seen by those on its list only", {
    timeout: 2 * timeout,
  }, async () => {
    const { world } = site.setting;
    await site.withPage(world.people.admin, { expected: [/status of 409/] }, async (page) => {
      await open(page, "/tags");
      const dialog = page.getByRole("dialog");
      await page.getByRole("button", { name: "New tag" }).click();
      await dialog.getByLabel("Name").fill("runbook");
      await dialog.getByLabel("Without a color").uncheck();
      await dialog.getByRole("button", { name: "Create tag" }).click();
      await page.getByText(/runbook.* is saved/).waitFor();
      await page.getByRole("button", { name: "New restricted tag" }).click();
      await dialog.getByLabel("Name").fill("board");
      await dialog.getByLabel("Find a person").fill("editors");
      await dialog.getByRole("button", { name: "One of Editors" }).click();
      await dialog.getByRole("button", { name: "Create tag" }).click();
      await page.getByText("Seen by One of Editors").waitFor();
      const editor = await sessionCallerOf(world, world.people.editor);
      const member = await sessionCallerOf(world, world.people.member);
      const isSeenBy = async (caller: typeof editor): Promise<boolean> =>
        (await caller.run(operations.listTags, {})).some(({ name }) => name === "board");
      expect([await isSeenBy(editor), await isSeenBy(member)]).toEqual([true, false]);
      await page.getByRole("button", { name: /Edit .*runbook/ }).click();
      await dialog.getByLabel("Name").fill("handbook");
      await dialog.getByRole("button", { name: "Save" }).click();
      await page.getByText(/handbook.* is saved/).waitFor();
      await page.getByRole("button", { name: "New restricted tag" }).click();
      await dialog.getByLabel("Name").fill("board");
      await dialog.getByLabel("Viewers").check();
      await dialog.getByRole("button", { name: "Create tag" }).click();
      await dialog.getByText("Is taken.").waitFor();
      await page.keyboard.press("Escape");
      await page.getByRole("button", { name: /Delete .*handbook/ }).click();
      await dialog.getByRole("button", { name: "Delete" }).click();
      await page.getByText(/handbook.* is deleted/).waitFor();
    });
  });

  it("the audit log is filtered in the address, holds few rows of many, and loads older ones", {
    timeout: 2 * timeout,
  }, async () => {
    const { world } = site.setting;
    const admin = await sessionCallerOf(world, world.people.admin);
    for (let index = 0; index < 150; index += 1) await admin.run(operations.createTag, { name: `tag ${index}` });
    await site.withPage(world.people.admin, { viewport: { width: 1280, height: 900 } }, async (page) => {
      await open(page, "/audit");
      await page.getByLabel("Action").fill("tags.create");
      await page.getByRole("button", { name: "Apply" }).click();
      await page.getByRole("button", { name: "Clear" }).waitFor();
      expect(new URL(page.url()).searchParams.get("action")).toBe("tags.create");
      const rows = page.getByRole("list", { name: "Entries" }).getByRole("listitem");
      await expect.poll(() => rows.first().textContent()).toContain("tags.create");
      expect(await rows.count()).toBeLessThan(60);
      const last = page.locator('[aria-posinset="150"]');
      await expect
        .poll(
          async () => {
            await page.mouse.wheel(0, 4_000);
            return last.count();
          },
          { timeout: 30_000 },
        )
        .toBe(1);
      expect(await rows.count()).toBeLessThan(60);
      const csv = await page.getByRole("link", { name: "Download as CSV" }).getAttribute("href");
      expect(csv).toBe("/settings/audit.csv?action=tags.create");
    });
  });

  it("the team gets another name at the top of every page, and an empty one is refused", { timeout }, async () => {
    await site.withPage(site.setting.world.people.admin, { expected: [/status of 400/] }, async (page) => {
      await open(page, "/team");
      await page.getByLabel("Name of the team").fill("   ");
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByText("Must not be empty.").waitFor();
      await page.getByLabel("Name of the team").fill("Engineering");
      await page.getByRole("button", { name: "Save" }).click();
      await page.locator(".bar-home", { hasText: "Engineering" }).waitFor();
    });
  });

  it.for(["editor", "member", "viewer"] as const)("%s finds none of these pages", { timeout }, async (role) => {
    await site.withPage(site.setting.world.people[role], {}, async (page) => {
      for (const path of ["channels", "tags", "audit", "team"]) {
        expect((await page.goto(`${site.origin}/settings/${path}`))?.status(), path).toBe(404);
      }
    });
  });
});
