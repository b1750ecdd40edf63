import { callerOf } from "@kb/core/testing";
import { timeout } from "@kb/testing/chromium";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSite, type Site, started } from "./site.ts";

describe("searching in Chromium", () => {
  let site: Site;
  beforeAll(async () => {
    site = await openSite();
    const { world } = site.setting;
    const editor = callerOf(world, world.people.editor);
    const { open, readable } = world.collections;
    const above = await editor.create({ title: "Animals", publish: true, collectionId: open });
    const place = { publish: true, collectionId: open, parentDocumentId: above.id };
    await editor.create({ ...place, title: "Bilby one", text: "A bilby digs.", tags: ["small"] });
    await editor.create({ title: "Bilby two", publish: true, collectionId: readable });
    await editor.create({ title: "Bilby three", collectionId: open });
  });
  afterAll(() => site?.close(), timeout);

  it("filters by keyboard, keeps them in the address, says what is similar, and goes back", {
    meta: { proves: ["web.search.filters", "web.search"] },
    timeout: 3 * timeout,
  }, async () => {
    const { people, collections } = site.setting.world;
    await site.withPage(people.editor, { viewport: { width: 1280, height: 900 } }, async (page) => {
      await page.goto(`${site.origin}/search`);
      await started(page);
      const main = page.getByRole("main");
      const hits = main.locator(".rows > li");
      const address = () => new URL(page.url()).search;
      await main.getByRole("searchbox").focus();
      await page.keyboard.type("bilby");
      await page.keyboard.press("Enter");
      await main.getByText("3 results").waitFor();
      await main
        .getByText(/Animals/)
        .first()
        .waitFor();
      await main.getByRole("combobox", { name: "Tag" }).focus();
      await page.keyboard.type("small");
      await main.getByText("1 result").waitFor();
      expect(await hits.allTextContents()).toEqual([expect.stringContaining("Bilby one")]);
      expect(address()).toBe("?query=bilby&tag=small");
      await main.getByRole("combobox", { name: "Collection" }).selectOption(collections.readable);
      await main.getByText("Nothing found for “bilby” with these filters.").waitFor();
      await main.getByRole("link", { name: "Clear filters" }).click();
      await main.getByText("3 results").waitFor();
      expect(address()).toBe("?query=bilby");
      await main.getByRole("searchbox").fill("bilbi");
      await page.keyboard.press("Enter");
      await main.getByText("similar words").waitFor();
      await page.goBack();
      await main.getByText("3 results").waitFor();
      expect(await main.getByRole("searchbox").inputValue()).toBe("bilby");
    });
  });

  it("says that a search failed, and tries again", {
    meta: { proves: ["web.states"] },
    timeout: 2 * timeout,
  }, async () => {
    const { people } = site.setting.world;
    const expected = [/status of 400/];
    await site.withPage(people.editor, { expected }, async (page) => {
      await page.goto(`${site.origin}/search`);
      await started(page);
      const refusal = () =>
        Response.json({ error: "An error of the service.", code: "internal_error" }, { status: 400 });
      site.intercept((path) => (path === "/api/app.search" ? refusal() : undefined));
      const main = page.getByRole("main");
      await main.getByRole("searchbox").fill("bilby");
      await page.keyboard.press("Enter");
      const again = main.getByRole("button", { name: "Try again" });
      await again.waitFor();
      site.intercept(undefined);
      await again.click();
      await main.getByText("3 results").waitFor();
    });
  });
});
