import { invoke, operations } from "@kb/core";
import { sessionCallerOf } from "@kb/core/testing";
import { timeout } from "@kb/testing/chromium";
import { scriptAttempts } from "@kb/testing/script-attempts";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { en } from "../src/messages/en.ts";
import { dangersIn, setTripwires } from "./dangers.ts";
import { walkTimeout } from "./screen-walk.ts";
import { openScreen, picture, type ScreenCase } from "./screens.ts";
import { fillSettings } from "./settings-screens.ts";
import { openSite, type Site, settled, started } from "./site.ts";

const desk = { viewport: { width: 1280, height: 900 } };
/** An image that the policy refuses, or that is nowhere, is what the text asks for. */
const images = [/ERR_|img-src|Failed to load resource/];
const image = "<img src=x onerror=alert(1)>";

describe("hostile names in Chromium", () => {
  let site: Site;
  let settings: ScreenCase[];
  let path: string;

  beforeAll(async () => {
    site = await openSite();
    settings = await fillSettings(site);
    path = `/documents/${await fillWithAttempts()}`;
  }, 240_000);
  afterAll(() => site?.close(), timeout);

  /** Gives every kind of object a name that tries to run something; returns the id of a document. */
  async function fillWithAttempts(): Promise<string> {
    const { world } = site.setting;
    const { service, people, collections } = world;
    const admin = await sessionCallerOf(world, people.admin);
    const names = scriptAttempts().map(({ title }, index) => `${title.slice(0, 58)} ${index}`);
    for (const name of names) {
      await admin.run(operations.createApiKey, { name, scopes: ["read"] });
      await admin.run(operations.createTag, { name: name.replaceAll(",", "") });
    }
    // A team has fewer groups than there are attempts.
    for (const name of names.slice(0, 20)) {
      await admin.run(operations.createGroup, { name, capabilities: ["document.read"] });
    }
    for (const [index, person] of [people.admin, people.editor, people.member, people.viewer].entries()) {
      await (await sessionCallerOf(world, person)).run(operations.updateProfile, { name: names[index] ?? image });
    }
    await admin.run(operations.updateTeam, { name: image });
    await admin.run(operations.createChannel, { name: image, collectionIds: [collections.open] });
    const url = `https://hooks.example.com/${encodeURIComponent(image)}?"onload=alert(1)`;
    await admin.run(operations.createWebhook, { name: image, url, events: ["*"] });
    await admin.run(operations.updateCollection, { id: collections.open, name: image, description: image });
    const input = { collectionId: collections.open, title: image, text: image, publish: true };
    const { id } = await invoke(service, operations.createDocument, people.editor.actor, input);
    await invoke(service, operations.updateDocument, people.admin.actor, { id, text: `${image}\n\n${image}` });
    await invoke(service, operations.attachBytes, people.editor.actor, { documentId: id, name: image, bytes: picture });
    return id;
  }
  const withWires = (use: (page: Page) => Promise<void>, options: object = desk): Promise<void> =>
    site.withPage(site.setting.world.people.admin, { ...options, possible: images }, async (page) => {
      await setTripwires(page);
      await use(page);
    });
  const open = async (page: Page, address: string): Promise<void> => {
    await page.goto(`${site.origin}${address}`);
    await started(page);
  };
  const expectHarmless = async (page: Page, where: string): Promise<void> => {
    expect(await dangersIn(page), where).toEqual({ ran: [], found: [] });
  };

  it("no name of a person, group, tag, key, webhook, channel or team runs on any page of the settings", {
    meta: { proves: ["web.hostile"] },
    timeout: walkTimeout,
  }, async () => {
    await withWires(async (page) => {
      for (const screen of settings) {
        await openScreen(site, page, screen, en);
        await expectHarmless(page, screen.name);
      }
      await open(page, "/settings/audit");
      await page.locator(".settings-content .rows li").first().waitFor();
      await expectHarmless(page, "the audit log");
    });
  });

  it("nothing runs in the history, in a search for it, in quick open, in a drawer, in a menu and on paper", {
    meta: { proves: ["web.hostile"] },
    timeout: walkTimeout,
  }, async () => {
    const query = encodeURIComponent(image);
    await withWires(async (page) => {
      for (const address of ["/", path, `${path}/history`, `${path}/history/2`, "/tags", `/search?query=${query}`]) {
        await open(page, address);
        await settled(page);
        await expectHarmless(page, address);
        await page.emulateMedia({ media: "print" });
        await page.pdf();
        await expectHarmless(page, `${address} on paper`);
        await page.emulateMedia({ media: "screen" });
      }
      await open(page, `/search?query=alert&tag=${query}`);
      await expectHarmless(page, "a search with a tag");
      await open(page, path);
      await page.keyboard.press("Control+k");
      await page.locator("[role=dialog] input:focus").waitFor();
      await page.keyboard.type(image);
      await page.getByRole("menuitem", { name: "Search everything" }).waitFor();
      await expectHarmless(page, "quick open");
      await page.keyboard.press("Escape");
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
      await page.getByRole("button", { name: en.account }).click();
      await page.getByRole("menuitem").first().waitFor();
      await expectHarmless(page, "the menu of the account");
    });
    await withWires(
      async (page) => {
        await open(page, path);
        await page.getByRole("button", { name: en.openNavigation }).click();
        await page.getByRole("dialog", { name: "Navigation" }).waitFor();
        await expectHarmless(page, "the drawer");
      },
      { viewport: { width: 320, height: 700 } },
    );
  });
});
