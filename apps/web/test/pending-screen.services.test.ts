import { callerOf } from "@kb/core/testing";
import { timeout } from "@kb/testing/chromium";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { en } from "../src/messages/en.ts";
import { started } from "./site.ts";
import { siteOfSuite } from "./site-of-suite.ts";

const site = await siteOfSuite();
const { world } = site.setting;
const { id } = await callerOf(world, world.people.editor).create({ title: "Awaited", text: "Here.", publish: true });
const another = await callerOf(world, world.people.editor).create({ title: "Another", text: "There.", publish: true });
const collection = `/collections/${world.collections.open}`;

/** Holds the answers of an address back until the returned function is called. */
async function hold(page: Page, address: string): Promise<() => void> {
  let release = (): void => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(address, async (route) => {
    await released;
    await route.continue();
  });
  return () => release();
}

it.each([
  ["a document", collection, "**/api/documents.view", `/documents/${id}`, "Awaited"],
  ["a document after another", `/documents/${another.id}`, "**/api/documents.view", `/documents/${id}`, "Awaited"],
  ["a collection", "/", `**/api/v1${collection}`, collection, ""],
  ["a version", `/documents/${id}/history`, "**/api/documents.revisions.view", `/documents/${id}/history/1`, "Awaited"],
])("%s that is long in coming has grey lines in its place, and then itself", { timeout }, async (...row) => {
  const [, from, address, to, title] = row;
  await site.withPage(world.people.viewer, {}, async (page) => {
    const release = await hold(page, address);
    await page.goto(`${site.origin}${from}`);
    await started(page);
    await page.locator(`a[href="${to}"]`).last().click();
    await page.locator("main > .column > [aria-busy=true]").waitFor();
    expect(await page.getByRole("main").getByRole("heading").allTextContents()).toEqual([en.loading]);
    expect(await page.locator(".bar-search").isVisible()).toBe(true);
    // The screen before is not kept beside it, hidden, with the same id.
    expect(await page.locator("main").count()).toBe(1);
    release();
    await page.locator("main [aria-busy=true]").waitFor({ state: "detached" });
    await page.getByRole("main").getByRole("heading", { level: 1, name: title }).waitFor();
  });
});
