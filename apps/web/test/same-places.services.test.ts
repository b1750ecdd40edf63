import { callerOf } from "@kb/core/testing";
import { timeout } from "@kb/testing/chromium";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { placesOfParts } from "./layout-shifts.ts";
import { settled, started } from "./site.ts";
import { siteOfSuite } from "./site-of-suite.ts";
import { openCollection } from "./tree-world.ts";

const site = await siteOfSuite();
const { world } = site.setting;
const { id } = await callerOf(world, world.people.editor).create({
  title: "Deploying on Fridays",
  text: "First.\n\n## Steps\n\n1. Build\n2. Ship\n\n## A table\n\n| Name | Value |\n| --- | --- |\n| one | 1 |\n",
  tags: ["howto"],
  publish: true,
});
const collection = `/collections/${world.collections.open}`;

/** Opens an address with the scripts held back; returns what starts them. */
async function openHeld(page: Page, address: string): Promise<() => Promise<void>> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route("**/assets/*.js", async (route) => {
    await promise;
    await route.continue();
  });
  await page.goto(`${site.origin}${address}`, { waitUntil: "commit" });
  await page.locator("#boot").waitFor({ state: "attached" });
  await page.waitForFunction(() => document.styleSheets.length > 0);
  return async () => {
    resolve();
    await started(page);
    await settled(page);
    await page.unrouteAll({ behavior: "wait" });
  };
}

/** The field of the server's page, and the button of the app. */
const search = (page: Page) => page.locator(".bar-search > *").first();

it.each([1280, 900, 320])(
  "the app draws what the server drew at the same places, at %i px",
  { meta: { proves: ["web.page.adopted"] }, timeout: 3 * timeout },
  async (width) => {
    await site.withPage(world.people.editor, { viewport: { width, height: 900 } }, async (page) => {
      // A document and a collection come last: the device keeps the rows of the tree that they open.
      for (const address of ["/", "/drafts", "/search", `/documents/${id}`, collection, `${collection}?sort=title`]) {
        const start = await openHeld(page, address);
        const before = await placesOfParts(page);
        const field = await search(page).boundingBox();
        expect(before.length, address).toBeGreaterThan(2);
        await start();
        expect(await placesOfParts(page), address).toEqual(before);
        expect(await search(page).boundingBox(), address).toEqual(field);
      }
    });
  },
);

it("the page of a collection has the tree open at it, with and without script, also after a move to it", {
  timeout,
}, async () => {
  const wide = { viewport: { width: 1280, height: 900 } };
  await site.withPage(world.people.viewer, { ...wide, javaScriptEnabled: false }, async (page) => {
    await page.goto(`${site.origin}${collection}`);
    await page.locator(".sidebar").getByRole("link", { name: "Deploying on Fridays" }).waitFor();
  });
  await site.withPage(world.people.viewer, wide, async (page) => {
    await page.goto(`${site.origin}/`);
    await started(page);
    const row = page.getByRole("treeitem", { name: "Deploying on Fridays" });
    expect(await row.count()).toBe(0);
    await page.getByRole("tree").locator(`a[href="${collection}"]`).click();
    await row.waitFor();
  });
});

it("the server's page draws the rows of 200 collections that are in sight, and moves nothing when the app starts", {
  timeout: 2 * timeout,
}, async () => {
  for (let number = 1; number <= 200; number += 1) await openCollection(world, `Shelf ${number}`);
  await site.withPage(world.people.editor, { viewport: { width: 1280, height: 900 } }, async (page) => {
    const start = await openHeld(page, "/drafts");
    // The browser decides with the first picture what is in sight.
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    const rows = page.locator(".navigation-tree > li > a");
    const drawn = await rows.evaluateAll((links) =>
      links.map((link) => link.checkVisibility({ contentVisibilityAuto: true })),
    );
    expect(drawn.length).toBeGreaterThan(200);
    expect(drawn[0]).toBe(true);
    expect(drawn.filter((isDrawn) => isDrawn).length).toBeLessThan(120);
    const before = await placesOfParts(page);
    await start();
    expect(await placesOfParts(page)).toEqual(before);
  });
});
