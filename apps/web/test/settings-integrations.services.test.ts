import { operations } from "@kb/core";
import { connectApp, sessionCallerOf } from "@kb/core/testing";
import { timeout } from "@kb/testing/chromium";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { started } from "./site.ts";
import { siteOfSuite } from "./site-of-suite.ts";

const site = await siteOfSuite();

describe("assistants and webhooks in Chromium", () => {
  const open = async (page: Page, path: string): Promise<void> => {
    await page.goto(`${site.origin}/settings${path}`);
    await started(page);
  };

  it("an administrator allows assistants, copies the settings of a client, disconnects an app, and stops all", {
    timeout: 2 * timeout,
  }, async () => {
    const { world } = site.setting;
    await site.withPage(world.people.admin, {}, async (page) => {
      await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
      const admin = await sessionCallerOf(world, world.people.admin);
      await admin.run(operations.updateTeam, { mcpEnabled: false });
      await open(page, "/assistants");
      await page.getByRole("button", { name: "Allow assistants" }).click();
      await page.getByText("Assistants may connect now.").waitFor();
      await page.getByLabel("Assistant", { exact: true }).selectOption("Cursor");
      const link = await page.getByRole("link", { name: "Add to Cursor" }).getAttribute("href");
      expect(link).toMatch(/^cursor:\/\/anysphere\.cursor-deeplink\/mcp\/install\?name=kb&config=/);
      await page.getByRole("button", { name: "Copy Settings for Cursor" }).click();
      await page.getByRole("button", { name: "Copy Settings for Cursor" }).getByText("Copied").waitFor();
      const settings: unknown = JSON.parse(await page.evaluate(() => navigator.clipboard.readText()));
      expect(settings).toEqual({ mcpServers: { kb: { url: `${site.origin}/api/mcp` } } });
      await connectApp(world, world.people.editor);
      await connectApp(world, world.people.editor);
      await page.reload();
      await page.getByText("of ⁨One of Editors⁩").first().waitFor();
      await page
        .getByRole("button", { name: /^Disconnect/ })
        .first()
        .click();
      await page.getByRole("dialog").getByRole("button", { name: "Disconnect" }).click();
      await page.getByText(/is disconnected/).waitFor();
      await expect.poll(() => page.getByRole("button", { name: /^Disconnect/ }).count()).toBe(1);
      await page.getByRole("button", { name: "Stop all assistants" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Stop all assistants" }).click();
      await page.getByText("No app is connected.").waitFor();
      expect(await admin.run(operations.getTeam, {})).toMatchObject({ mcpEnabled: false });
    });
  });

  it("a member sees their own apps and no switch, and webhooks are not there for them", { timeout }, async () => {
    const { world } = site.setting;
    const admin = await sessionCallerOf(world, world.people.admin);
    await admin.run(operations.updateTeam, { mcpEnabled: true });
    await connectApp(world, world.people.viewer);
    await connectApp(world, world.people.member);
    await site.withPage(world.people.member, {}, async (page) => {
      await open(page, "/assistants");
      await page.getByRole("button", { name: /^Disconnect/ }).waitFor();
      expect(await page.getByRole("button", { name: /^Disconnect/ }).count()).toBe(1);
      expect(await page.getByRole("button", { name: /all assistants/ }).count()).toBe(0);
      expect(await page.getByRole("link", { name: "Webhooks" }).count()).toBe(0);
      expect((await page.goto(`${site.origin}/settings/webhooks`))?.status()).toBe(404);
    });
  });

  it("a webhook is made, tried, renewed, switched off and deleted, and a refused address is named at its field", {
    timeout: 2 * timeout,
  }, async () => {
    const { world } = site.setting;
    await site.withPage(world.people.admin, { expected: [/status of 400/] }, async (page) => {
      await open(page, "/webhooks/new");
      await page.getByLabel("Address").fill("https://user:secret@example.com/");
      await page.getByRole("button", { name: "Create webhook" }).click();
      await page.getByText(/without user name, password or fragment/).waitFor();
      await page.getByLabel("Address").fill("https://hooks.example.com/one");
      await page.getByLabel("Only these").check();
      await page.getByLabel("Documents", { exact: true }).check();
      await page.getByRole("button", { name: "Create webhook" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "I’ve saved it" }).click();
      await page.getByRole("heading", { level: 1, name: "https://hooks.example.com/one" }).waitFor();
      const admin = await sessionCallerOf(world, world.people.admin);
      const [webhook] = await admin.run(operations.listWebhooksInApp, {});
      expect(webhook).toMatchObject({ events: ["document.*"], collectionIds: [], enabled: true });
      await page.getByRole("button", { name: "Send a test" }).click();
      await page.getByText("webhook.test").waitFor();
      await page.getByRole("button", { name: "New secret" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "New secret" }).click();
      await page.getByRole("dialog", { name: "The secret of this webhook" }).getByRole("status").first().waitFor();
      await page.getByRole("dialog").getByRole("button", { name: "I’ve saved it" }).click();
      await page.getByRole("button", { name: "Disable" }).click();
      await page.getByRole("button", { name: "Enable" }).waitFor();
      expect(await page.getByRole("button", { name: "Send a test" }).count()).toBe(0);
      await page.getByRole("button", { name: "Delete" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
      await page.getByText("No webhooks yet.").waitFor();
      expect((await page.goto(`${site.origin}/settings/webhooks/${webhook?.id}`))?.status()).toBe(404);
    });
  });
});
