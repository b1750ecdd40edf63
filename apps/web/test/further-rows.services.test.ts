import { callerOf } from "@kb/core/testing";
import { timeout } from "@kb/testing/chromium";
import { expect, it } from "vitest";
import { started } from "./site.ts";
import { siteOfSuite } from "./site-of-suite.ts";

const site = await siteOfSuite();
const { world } = site.setting;
const editor = callerOf(world, world.people.editor);

it("a list below a document goes on after its first rows, by keyboard, also after a failure", {
  timeout: 2 * timeout,
}, async () => {
  const place = { collectionId: world.collections.open, publish: true };
  const target = await editor.create({ ...place, title: "Linked often" });
  for (let source = 1; source <= 53; source += 1) {
    await editor.create({ ...place, title: `Source ${source}`, text: `[see](/documents/${target.id})` });
  }
  await site.withPage(world.people.viewer, { expected: [/503/] }, async (page) => {
    await page.goto(`${site.origin}/documents/${target.id}`);
    await started(page);
    const sources = page.getByRole("main").getByRole("link", { name: /^Source / });
    expect(await sources.count()).toBe(50);
    const more = page.getByRole("button", { name: "Show more (3)" });
    site.intercept((path) =>
      path.endsWith("/documents.backlinks")
        ? Response.json({ error: "The service is busy.", code: "unavailable" }, { status: 503 })
        : undefined,
    );
    await more.press("Enter");
    await page.getByRole("main").getByRole("alert").waitFor();
    site.intercept(undefined);
    await more.press("Enter");
    await page.locator("main a:focus", { hasText: "Source 3" }).waitFor();
    expect(await sources.count()).toBe(53);
    expect(await more.count()).toBe(0);
  });
  const text = await (await site.setting.get(`/documents/${target.id}`, world.people.viewer)).text();
  expect(text).toContain("And 3 more.");
});

it("a document that links here while the list goes on moves the others down, and none is shown twice", {
  timeout: 2 * timeout,
}, async () => {
  const place = { collectionId: world.collections.open, publish: true };
  const target = await editor.create({ ...place, title: "Linked anew" });
  const link = `[see](/documents/${target.id})`;
  for (let source = 1; source <= 53; source += 1) {
    await editor.create({ ...place, title: `Anew ${source}`, text: link });
  }
  await site.withPage(world.people.viewer, { expected: [/503/] }, async (page) => {
    // The first rows stay as they are: nothing tells the page of the new document.
    site.intercept((path) => (path === "/api/app.events" ? new Response(null, { status: 503 }) : undefined));
    await page.goto(`${site.origin}/documents/${target.id}`);
    await started(page);
    const sources = page.getByRole("main").getByRole("link", { name: /^Anew / });
    await editor.create({ ...place, title: "Anew 54", text: link });
    await page.getByRole("button", { name: "Show more (3)" }).press("Enter");
    await sources.nth(52).waitFor();
    const titles = await sources.allTextContents();
    expect(new Set(titles).size).toBe(titles.length);
    site.intercept(undefined);
  });
});
