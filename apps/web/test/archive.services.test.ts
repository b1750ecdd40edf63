import { operations } from "@kb/core";
import { callerOf } from "@kb/core/testing";
import { timeout } from "@kb/testing/chromium";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { started } from "./site.ts";
import { siteOfSuite } from "./site-of-suite.ts";
import { openCollection } from "./tree-world.ts";

const site = await siteOfSuite();
const { world } = site.setting;
const { people, collections } = world;

async function archive(title: string, by = people.editor): Promise<string> {
  const caller = callerOf(world, by);
  const { id } = await caller.create({ title, publish: true, collectionId: collections.open });
  await callerOf(world, people.admin).archive(id);
  return id;
}
const button = (page: Page, name: string) => page.getByRole("button", { name: `Unarchive: ${name}`, exact: true });
async function open(page: Page): Promise<void> {
  await page.goto(`${site.origin}/archive`);
  await started(page);
  await page.locator("main .rows").first().waitFor();
}

describe("the archive in Chromium", () => {
  it("names the place, the day and the person of a document, and brings it back by keyboard for those who may", {
    timeout: 2 * timeout,
  }, async () => {
    await archive("Put away");
    await archive("Of a member", people.member);
    await site.withPage(people.editor, {}, async (page) => {
      await open(page);
      const row = page.getByRole("main").getByRole("link", { name: "Put away" });
      const detail = (await row.locator(".row-detail").textContent()) ?? "";
      expect(detail).toMatch(/^Open · Archived .*\d{4} · /);
      expect(detail.endsWith(` · ${people.admin.name}`)).toBe(true);
      await button(page, "Put away").press("Enter");
      await row.waitFor({ state: "detached" });
      await page.locator("h1:focus").waitFor();
    });
    await archive("Put away");
    await site.withPage(people.member, {}, async (page) => {
      await open(page);
      await button(page, "Of a member").waitFor();
      expect(await button(page, "Put away").count()).toBe(0);
    });
    await site.withPage(people.viewer, {}, async (page) => {
      await open(page);
      expect(await page.getByRole("main").getByRole("button").count()).toBe(0);
    });
  });

  it("brings a collection back for those who may change it", { timeout: 2 * timeout }, async () => {
    const id = await openCollection(world, "Former projects");
    await callerOf(world, people.admin).run(operations.archiveCollection, { id });
    await site.withPage(people.viewer, {}, async (page) => {
      await open(page);
      expect(await button(page, "Former projects").count()).toBe(0);
    });
    await site.withPage(people.admin, {}, async (page) => {
      await open(page);
      const row = page.getByRole("main").getByRole("link", { name: "Former projects" });
      expect(await row.textContent()).toMatch(/Archived .*\d{4}$/);
      await button(page, "Former projects").press("Enter");
      await row.waitFor({ state: "detached" });
      await page.getByRole("treeitem", { name: "Former projects" }).waitFor();
    });
  });

  it("says why a document could not be brought back", { timeout }, async () => {
    await archive("Refused");
    await site.withPage(people.editor, { expected: [/503/] }, async (page) => {
      await open(page);
      site.intercept((path) =>
        path.endsWith("/unarchive")
          ? Response.json({ error: "The service is busy.", code: "unavailable" }, { status: 503 })
          : undefined,
      );
      await button(page, "Refused").press("Enter");
      await page.getByRole("main").getByRole("alert").waitFor();
      site.intercept(undefined);
      await button(page, "Refused").press("Enter");
      await button(page, "Refused").waitFor({ state: "detached" });
      expect(await page.getByRole("main").getByRole("alert").count()).toBe(0);
    });
  });
});
