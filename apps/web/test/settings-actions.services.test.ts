import { operations } from "@kb/core";
import { type Column, cells } from "@kb/core/testing";
import { timeout } from "@kb/testing/chromium";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { fillSettings } from "./settings-screens.ts";
import { settled, started } from "./site.ts";
import { siteOfSuite } from "./site-of-suite.ts";

const site = await siteOfSuite();
await fillSettings(site);

type Role = "admin" | "editor" | "member" | "viewer";

/** The column of the access matrix that a role is. */
const columns: Readonly<Record<Role, Column>> = {
  admin: "adminSession",
  editor: "editorSession",
  member: "memberSession",
  viewer: "viewerSession",
};

/** What each page of the settings offers: the name of the button or link, and the operation behind it. */
const actions: Readonly<Record<string, readonly (readonly [name: string | RegExp, operation: string])[]>> = {
  you: [
    ["Save name", "auth.updateProfile"],
    [/^(Choose a|Change) picture$/, "auth.picture.set"],
    ["Change the address", "auth.emailChange.start"],
    [/^End session/, "auth.sessions.revoke"],
  ],
  keys: [["New key", "apiKeys.create"]],
  assistants: [
    ["Stop all assistants", "team.update"],
    [/^Approve/, "oauth.apps.approve"],
    [/^Refuse/, "oauth.apps.refuse"],
  ],
  webhooks: [["New webhook", "webhooks.create"]],
  channels: [["New channel", "channels.create"]],
  people: [
    ["Invite people", "invitations.create"],
    [/^Edit/, "users.update"],
    [/^New password/, "users.createPasswordLink"],
    [/^Remove second step/, "users.resetSecondFactor"],
    [/^Remove picture/, "users.removePicture"],
    [/^Suspend/, "users.suspend"],
  ],
  "people?show=invited": [
    [/^Send again/, "invitations.resend"],
    [/^Revoke/, "invitations.revoke"],
  ],
  groups: [
    ["New group", "groups.create"],
    [/^Edit/, "groups.update"],
    [/^Delete/, "groups.delete"],
  ],
  tags: [
    ["New restricted tag", "tags.restrict"],
    [/^Edit/, "tags.update"],
    [/^Delete/, "tags.delete"],
  ],
  audit: [["Download as CSV", "audit.list"]],
  transfer: [["Check", "imports.create"]],
  team: [
    ["Save", "team.update"],
    [/^(Choose a|Change) logo$/, "team.setLogo"],
    ["Remove logo", "team.removeLogo"],
  ],
};

/** Returns the operations whose button or link the page shows. */
async function shownOn(page: Page, path: string): Promise<string[]> {
  const answer = await page.goto(`${site.origin}/settings/${path}`);
  if (answer?.status() === 404) return [];
  await started(page);
  await settled(page);
  const shown: string[] = [];
  for (const [name, operation] of actions[path] ?? []) {
    const control = page.getByRole("button", { name }).or(page.getByRole("link", { name }));
    const inPage = page.getByRole("main").locator(control);
    if ((await inPage.count()) > 0) shown.push(operation);
  }
  return shown;
}

it.for(Object.keys(columns) as Role[])(
  "%s: each page of the settings shows exactly the actions that the access matrix allows",
  { meta: { proves: ["web.abilities"] }, timeout: 4 * timeout },
  async (role) => {
    // A thing of somebody else is not found in the matrix; on the pages, everybody has their own.
    const isAllowed = (operation: string): boolean => cells.get(operation)?.[columns[role]] !== "forbidden";
    const { world } = site.setting;
    // A second session, so that there is one to end.
    await world.session(world.people[role]);
    await site.withPage(world.people[role], {}, async (page) => {
      for (const path of Object.keys(actions)) {
        const allowed = (actions[path] ?? []).map(([, operation]) => operation).filter(isAllowed);
        expect([path, ...(await shownOn(page, path))]).toEqual([path, ...allowed]);
      }
    });
  },
);

it("every operation that only some roles may call in the app is compared here, or has its place where one that is leads", () => {
  const compared = new Set(Object.values(actions).flatMap((each) => each.map(([, operation]) => operation)));
  const isForSome = (name: string): boolean => {
    const outcomes = Object.values(columns).map((column) => cells.get(name)?.[column] === "forbidden");
    return outcomes.includes(true) && outcomes.includes(false);
  };
  const places = Object.keys(elsewhere);
  const isAt = (name: string, place: string): boolean =>
    place.endsWith(".") ? name.startsWith(place) : name === place;
  const forSome = Object.values(operations)
    .filter((each) => "sessionOnly" in each && each.sessionOnly === true && isForSome(each.name))
    .map(({ name }) => name)
    .filter((name) => !compared.has(name));
  expect(forSome.length).toBeGreaterThan(20);
  expect(forSome.filter((name) => !places.some((place) => isAt(name, place)))).toEqual([]);
  expect(places.filter((place) => !forSome.some((name) => isAt(name, place)))).toEqual([]);
});

/** Where the others are, by their names or by the area that ends with a dot. */
const elsewhere: Readonly<Record<string, string>> = {
  "apiKeys.": "on the page of the keys, whose link to a new one is compared",
  "attachments.delete": "on the page of a document: role-actions.services.test.ts",
  "channels.": "on the page of the channels and below it",
  "channelTokens.": "on the page of one channel",
  "collections.": "on the page of a collection: role-actions.services.test.ts",
  "documents.": "on the page of a document: role-actions.services.test.ts",
  "groups.list": "the list of the page",
  "imports.": "with the import that is compared",
  "invitations.list": "the list of the page",
  "live.push": "in the editor: role-actions.services.test.ts",
  "tags.listRestricted": "the list of the page",
  "oauth.apps.requests": "the list of the page",
  "trash.empty": "on the page of the trash: role-actions.services.test.ts",
  "users.emailChangeLinks": "on the page of the people, while somebody changes their address without a mail server",
  "users.emailChanges": "on the page of the people",
  "users.groups": "in the dialog of users.update, which sets the groups too",
  "users.invite": "invitations.create takes its place",
  "users.list": "the list of the page",
  "users.resetPassword": "in the dialog of users.createPasswordLink",
  "users.unsuspend": "in the place of users.suspend, for somebody who is suspended",
  "webhooks.": "on the page of the webhooks and below it",
};
