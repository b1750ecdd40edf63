import { operations } from "@kb/core";
import { connectApp, sessionCallerOf } from "@kb/core/testing";
import type { Page } from "playwright-core";
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
  const webhook = await admin.run(operations.createWebhook, {
    url: "https://hooks.example.com/knowledge",
    events: ["document.*", "collection.archived"],
    name: "Deploy",
  });
  await admin.run(operations.testWebhook, { id: webhook.id });
  const off = { url: "https://chat.example.com/incoming/8f14e45fceea167a5a36dedd4bea2543", events: ["*"] };
  const { id } = await admin.run(operations.createWebhook, off);
  await admin.run(operations.updateWebhook, { id, enabled: false });
  return [
    settingsScreen("settings", ""),
    settingsScreen("you", "/you", rows),
    settingsScreen("keys", "/keys?show=revoked", rows),
    settingsScreen("key-new", "/keys/new", grid),
    settingsScreen("key-edit", `/keys/${key.id}`, grid),
    settingsScreen("assistants", "/assistants", rows),
    settingsScreen("webhooks", "/webhooks", rows),
    settingsScreen("webhook-new", "/webhooks/new"),
    settingsScreen("webhook", `/webhooks/${webhook.id}`, rows),
  ];
}

const settingsScreen = (name: string, path: string, reach?: (page: Page) => Promise<void>): ScreenCase => ({
  name: name === "settings" ? name : `settings-${name}`,
  path: `/settings${path}`,
  ...(reach && { reach }),
});

const rows = (page: Page): Promise<void> => page.locator(".settings-content .rows li").first().waitFor();
const grid = (page: Page): Promise<void> => page.getByRole("row").first().waitFor();
