import { operations } from "@kb/core";
import {
  connectApp,
  giveLogo,
  givePicture,
  giveSecondFactor,
  registerApp,
  sessionCallerOf,
  type TestCaller,
  testRedirectUri,
  type World,
} from "@kb/core/testing";
import type { Page } from "playwright-core";
import { halves } from "./image-of-halves.ts";
import type { ScreenCase } from "./screens.ts";
import type { Site } from "./site.ts";

/** Fills the team of a site so that no screen of the settings is empty; returns every screen. */
export async function fillSettings({ setting: { world } }: Site): Promise<ScreenCase[]> {
  const { collections } = world;
  const admin = await sessionCallerOf(world, world.people.admin);
  const key = await admin.run(operations.createApiKey, {
    name: "Website mirror",
    scopes: ["read"],
    restrictions: { collections: { [collections.open]: "read" } },
  });
  const old = await admin.run(operations.createApiKey, { name: "Last year's script", scopes: ["read", "write"] });
  await admin.run(operations.revokeApiKey, { id: old.id });
  await admin.run(operations.updateTeam, { mcpEnabled: true });
  await connectApp(world, world.people.editor);
  await askForApps(world, admin);
  const webhook = await admin.run(operations.createWebhook, {
    url: "https://hooks.example.com/knowledge",
    events: ["document.*", "collection.archived"],
    name: "Deploy",
  });
  await admin.run(operations.testWebhook, { id: webhook.id });
  const off = { url: "https://chat.example.com/incoming/8f14e45fceea167a5a36dedd4bea2543", events: ["*"] };
  const { id } = await admin.run(operations.createWebhook, off);
  await admin.run(operations.updateWebhook, { id, enabled: false });
  await admin.run(operations.createGroup, { name: "Publishers", capabilities: ["document.read", "document.publish"] });
  const { tag } = await admin.run(operations.createTag, { name: "help center", color: "#0b6b5f" });
  const groups = await admin.run(operations.listGroups, {});
  await admin.run(operations.restrictTag, { name: "board", groupIds: groups.data.slice(0, 1).map(({ id }) => id) });
  const channel = await admin.run(operations.createChannel, {
    name: "Help center",
    collectionIds: [collections.open],
    tagIds: [tag.id],
    format: { html: true },
  });
  await admin.run(operations.createChannelToken, { channelId: channel.id, name: "Website" });
  await admin.run(operations.createInvitations, { emails: ["grace@example.com", "alan@example.com"] });
  await giveSecondFactor(world, world.people.editor);
  await givePicture(world, world.people.editor.id);
  await giveLogo(world);
  return [
    settingsScreen("settings", ""),
    settingsScreen("you", "/you", you),
    settingsScreen("second-factor", "/you", setUpSecondFactor),
    settingsScreen("picture", "/you", choosePicture),
    settingsScreen("keys", "/keys?show=revoked", rows),
    settingsScreen("key-new", "/keys/new", grid),
    settingsScreen("key-edit", `/keys/${key.id}`, grid),
    settingsScreen("assistants", "/assistants", rows),
    settingsScreen("webhooks", "/webhooks", rows),
    settingsScreen("webhook-new", "/webhooks/new"),
    settingsScreen("webhook", `/webhooks/${webhook.id}`, rows),
    settingsScreen("channels", "/channels", rows),
    settingsScreen("channel-new", "/channels/new"),
    settingsScreen("channel", `/channels/${channel.id}`, rows),
    settingsScreen("people", "/people", rows),
    settingsScreen("person", "/people", (page) => openDialog(page, "Editors")),
    settingsScreen("invite", "/people", invite),
    settingsScreen("invitations", "/people?show=invited", rows),
    settingsScreen("groups", "/groups", rows),
    settingsScreen("group", "/groups", (page) => openDialog(page, "Publishers")),
    settingsScreen("tags", "/tags", rows),
    settingsScreen("tag-restricted", "/tags", async (page) => {
      await openDialog(page, "board");
      // The group that sees it is there before the others.
      await page.getByRole("dialog").getByRole("checkbox").nth(1).waitFor();
    }),
    settingsScreen("audit", "/audit?action=webhooks.create", rows),
    settingsScreen("transfer", "/transfer"),
    settingsScreen("team", "/team"),
  ];
}

/** Has the team approve apps first: a member asks for two, of which one is approved. */
async function askForApps(world: World, admin: TestCaller): Promise<void> {
  await admin.run(operations.updateTeam, { appApprovalRequired: true });
  const member = await sessionCallerOf(world, world.people.member);
  for (const name of ["Reading Assistant", "Notes Assistant"]) {
    const app = { clientId: await registerApp(world, name), name, redirectUris: [testRedirectUri] };
    await member.run(operations.askForApp, app);
  }
  const { data } = await admin.run(operations.listAppRequests, {});
  await admin.run(operations.approveApp, { id: data[0]?.id ?? "" });
}

const settingsScreen = (name: string, path: string, reach?: (page: Page) => Promise<void>): ScreenCase => ({
  name: name === "settings" ? name : `settings-${name}`,
  path: `/settings${path}`,
  ...(reach && { reach }),
});

const secondFactor = (page: Page) => page.locator(".settings-content > section").nth(5).getByRole("button").first();

/** Waits for both lists of the page. */
async function you(page: Page): Promise<void> {
  await secondFactor(page).waitFor();
  await rows(page);
}

/** Opens the dialog that sets up an app: nobody here has a password, so it asks for none. */
async function setUpSecondFactor(page: Page): Promise<void> {
  await secondFactor(page).click();
  await page.getByRole("dialog").locator("button[type=submit]").click();
  await page.getByRole("dialog").locator(".qr-code").waitFor();
}

/** Opens the dialog that edits the row with this name. */
async function openDialog(page: Page, name: string): Promise<void> {
  await page.locator(".settings-content .rows > li", { hasText: name }).getByRole("button").first().click();
  await page.getByRole("dialog").getByRole("checkbox").first().waitFor();
}

/** Opens the dialog that invites people. */
async function invite(page: Page): Promise<void> {
  await page.locator(".title-row .button.primary").click();
  await page.getByRole("dialog").getByRole("checkbox").first().waitFor();
}

const rows = (page: Page): Promise<void> => page.locator(".settings-content .rows li").first().waitFor();
const grid = (page: Page): Promise<void> => page.getByRole("row").first().waitFor();

/** Opens the dialog about the reader's picture with an image in it. */
async function choosePicture(page: Page): Promise<void> {
  await you(page);
  await page.locator(".settings-content > section").nth(1).getByRole("button").first().click();
  const image = { name: "halves.jpg", mimeType: "image/jpeg", buffer: await halves(page) };
  await page.getByRole("dialog").locator("input[type=file]").setInputFiles(image);
  await page.getByRole("dialog").locator("canvas").waitFor();
}
