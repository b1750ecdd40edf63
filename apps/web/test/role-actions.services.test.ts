import { join } from "node:path";
import { timeout } from "@kb/testing/chromium";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { menuEntries, settled, started } from "./site.ts";
import { siteOfSuite } from "./site-of-suite.ts";
import { createRolesTeam, type Roles } from "./team-of-roles.ts";

const site = await siteOfSuite();
const { world } = site.setting;
const team = await createRolesTeam(world);

/** The screens with what can be done on them. `place` is the part of the team whose documents the role may see. */
const screensFor = (place: string): readonly (readonly [name: string, path: string])[] => {
  const find = (state: string): string => {
    const found = team.documents.find(({ mark }) => mark === `mark${place}${state}`);
    if (found === undefined) throw new Error(`No document of ${place} is ${state}`);
    return `/documents/${found.id}`;
  };
  return [
    ["home", "/"],
    ["document", find("published")],
    ["draft", find("draft")],
    ["archived document", find("archived")],
    ["trashed document", find("trashed")],
    ["history", `${find("published")}/history`],
    ["version", `${find("published")}/history/1`],
    ["collection", `/collections/${world.collections.open}`],
    ["drafts", "/drafts"],
    ["archive", "/archive"],
    ["trash", "/trash"],
    ["tags", "/tags"],
    ["search", "/search?query=Title"],
    ["settings", "/settings"],
  ];
};

/** Returns the names of the buttons of a part of the page, each menu with its entries. */
async function actionsOf(page: Page, part: string): Promise<string[]> {
  const actions: string[] = [];
  for (const button of await page.locator(part).getByRole("button").all()) {
    const name = (await button.getAttribute("aria-label")) ?? (await button.textContent()) ?? "";
    if ((await button.getAttribute("aria-haspopup")) !== "menu") {
      actions.push(name.trim());
      continue;
    }
    await button.click();
    actions.push(`${name.trim()}: ${(await menuEntries(page)).join(", ")}`);
    await page.keyboard.press("Escape");
    await page.getByRole("menu").waitFor({ state: "detached" });
  }
  return actions;
}

it.for(["admin", "editor", "member", "viewer", "guest"] as const satisfies readonly (keyof Roles)[])(
  "%s: each screen offers exactly the actions that the role may take",
  { meta: { proves: ["web.walk", "web.abilities"] }, timeout: 6 * timeout },
  async (role) => {
    const lines: string[] = [];
    await site.withPage(team.roles[role], { viewport: { width: 1280, height: 900 } }, async (page) => {
      for (const [name, path] of screensFor(role === "guest" ? "guests" : "team")) {
        const answer = await page.goto(`${site.origin}${path}`);
        if (answer?.status() === 404) {
          // The server's page for what is hidden: the app does not start on it.
          lines.push(`${name}: not found`);
          continue;
        }
        await started(page);
        await page.locator("main h1").waitFor();
        await settled(page);
        const heading = await page.locator("main h1").textContent();
        lines.push(`${name} (${heading?.trim()})`, ...(await actionsOf(page, "main")).map((action) => `  ${action}`));
        if (name === "home")
          lines.push("navigation", ...(await actionsOf(page, "nav.sidebar")).map((each) => `  ${each}`));
        if (name === "settings") {
          const pages = await page.locator("main a").allTextContents();
          lines.push(...pages.map((each) => `  ${each.trim()}`));
        }
      }
    });
    await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot(join(import.meta.dirname, `role-actions/${role}.txt`));
  },
);
