import { readFile } from "node:fs/promises";
import { operations } from "@kb/core";
import { callerOf } from "@kb/core/testing";
import { timeout } from "@kb/testing/chromium";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { menuEntries, openSite, type Site, started } from "./site.ts";
import { openCollection } from "./tree-world.ts";

const wide = { viewport: { width: 1280, height: 900 } };

describe("the page of a collection in Chromium", () => {
  let site: Site;
  beforeAll(async () => {
    site = await openSite();
  });
  afterAll(() => site?.close(), timeout);

  const main = (page: Page) => page.getByRole("main");
  const visit = async (page: Page, id: string, search = ""): Promise<void> => {
    await page.goto(`${site.origin}/collections/${id}${search}`);
    await started(page);
  };
  const choose = async (page: Page, entry: string): Promise<void> => {
    await main(page)
      .getByRole("button", { name: /^Actions for/ })
      .click();
    await page.getByRole("menuitem", { name: entry }).click();
  };

  it.each([
    ["Markdown", ".md"],
    ["HTML", ".html"],
  ])(
    "is exported as %s through its menu: the file has the documents, and the page stays",
    {
      meta: { proves: ["web.collection"] },
      timeout: 2 * timeout,
    },
    async (format, ending) => {
      const { world } = site.setting;
      const id = await openCollection(world, `Animals in ${format}`);
      const editor = callerOf(world, world.people.editor);
      for (const title of ["Walrus", "Badger"]) await editor.create({ title, collectionId: id, publish: true });
      await site.withPage(world.people.editor, wide, async (page) => {
        await visit(page, id);
        const download = page.waitForEvent("download");
        await choose(page, `Export as ${format} (ZIP)`);
        const file = await download;
        expect(file.suggestedFilename()).toBe(`Animals in ${format}.zip`);
        const bytes = await readFile(await file.path());
        expect(bytes.subarray(0, 2).toString()).toBe("PK");
        // The names of the files in a ZIP are not compressed.
        for (const title of ["Walrus", "Badger"]) expect(bytes.includes(`${title}${ending}`), title).toBe(true);
        await page.getByRole("heading", { level: 1, name: `Animals in ${format}` }).waitFor();
        expect(new URL(page.url()).pathname).toBe(`/collections/${id}`);
      });
    },
  );

  it("is renamed and described, sorted in the address, archived and brought back", {
    meta: { proves: ["web.collection"] },
    timeout: 4 * timeout,
  }, async () => {
    const { world } = site.setting;
    const id = await openCollection(world, "Handbook");
    const editor = callerOf(world, world.people.editor);
    for (const title of ["Walrus", "Badger"]) await editor.create({ title, collectionId: id, publish: true });
    await site.withPage(world.people.admin, wide, async (page) => {
      await visit(page, id);
      await choose(page, "Edit collection");
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Name").fill("Field guide");
      await dialog.getByLabel("Description").fill("How we look at animals.");
      await dialog.getByRole("button", { name: "Save" }).click();
      await page.getByRole("heading", { level: 1, name: "Field guide" }).waitFor();
      await main(page).getByText("How we look at animals.").waitFor();
      await main(page).getByRole("combobox", { name: "Sort" }).selectOption("title");
      await main(page).locator(".rows > li", { hasText: "Badger" }).first().waitFor();
      await page.waitForURL((url) => url.search === "?sort=title");
      await visit(page, id, "?sort=title");
      expect(await main(page).locator(".row-title").allTextContents()).toEqual(["Badger", "Walrus"]);
      await choose(page, "Archive collection");
      await main(page).getByText("This collection is archived.").waitFor();
      await main(page).getByRole("button", { name: "Unarchive" }).click();
      await main(page).getByText("This collection is archived.").waitFor({ state: "detached" });
    });
  });

  it("those who manage it say who has access", {
    meta: { proves: ["web.collection.access"] },
    timeout: 4 * timeout,
  }, async () => {
    const { world } = site.setting;
    const id = await openCollection(world, "Access");
    const admin = callerOf(world, await world.session(world.people.admin));
    const { viewer } = world.people;
    const grants = () => admin.run(operations.listGrants, { id, limit: 100 });
    await site.withPage(world.people.admin, wide, async (page) => {
      await visit(page, id);
      await choose(page, "Who has access");
      const dialog = page.getByRole("dialog", { name: /^Who has access to/ });
      const saved = () =>
        page.waitForResponse((answer) => /collections\.(?:grants\.(?:set|remove)|setDefaultAccess)/.test(answer.url()));
      const everybody = dialog.getByRole("combobox", { name: /Everybody in the team/ });
      await Promise.all([saved(), everybody.selectOption("read")]);
      expect((await grants()).defaultAccess).toBe("read");
      await dialog.getByRole("searchbox").fill(viewer.name);
      await Promise.all([saved(), dialog.getByRole("menuitem", { name: viewer.name }).first().click()]);
      const level = dialog.getByRole("combobox", { name: new RegExp(viewer.name) });
      await level.waitFor();
      await Promise.all([saved(), level.selectOption("write")]);
      expect((await grants()).data).toContainEqual(
        expect.objectContaining({ grantee: expect.objectContaining({ id: viewer.id }), level: "write" }),
      );
      await Promise.all([saved(), dialog.getByRole("button", { name: new RegExp(`Remove.*${viewer.name}`) }).click()]);
      await level.waitFor({ state: "detached" });
      expect((await grants()).data.some(({ grantee }) => grantee.id === viewer.id)).toBe(false);
    });
  });

  it("the access chosen last counts, and a failure leaves with the next change", {
    meta: { proves: ["web.collection.access"] },
    timeout: 2 * timeout,
  }, async () => {
    const { world } = site.setting;
    const id = await openCollection(world, "Access in haste");
    const admin = callerOf(world, await world.session(world.people.admin));
    await site.withPage(world.people.admin, { ...wide, expected: [/status of 409/] }, async (page) => {
      await visit(page, id);
      await choose(page, "Who has access");
      const dialog = page.getByRole("dialog", { name: /^Who has access to/ });
      const everybody = dialog.getByRole("combobox", { name: /Everybody in the team/ });
      await dialog.getByRole("button", { name: /^Remove/ }).click();
      await dialog.getByRole("alert").waitFor();
      // The first answer waits until all three were chosen.
      const sent: unknown[] = [];
      const chosenAll = Promise.withResolvers<void>();
      await page.route("**/api/collections.setDefaultAccess", async (route) => {
        sent.push(route.request().postDataJSON().defaultAccess);
        await chosenAll.promise;
        await route.continue();
      });
      for (const level of ["read", "write", "none"]) {
        await everybody.selectOption(level);
        expect(await everybody.inputValue()).toBe(level);
      }
      chosenAll.resolve();
      await dialog.getByRole("alert").waitFor({ state: "detached" });
      const stored = async () => (await admin.run(operations.listGrants, { id })).defaultAccess;
      await expect.poll(stored, { timeout }).toBe("none");
      expect(sent).toEqual(["read", "none"]);
      await expect.poll(() => everybody.inputValue()).toBe("none");
    });
  });

  it("keeps what somebody else changed while its form was open", {
    meta: { proves: ["web.collection"] },
    timeout: 2 * timeout,
  }, async () => {
    const { world } = site.setting;
    const id = await openCollection(world, "Edited by two");
    const editor = callerOf(world, world.people.editor);
    await site.withPage(world.people.admin, wide, async (page) => {
      await visit(page, id);
      await choose(page, "Edit collection");
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Emoji").fill("🌱");
      await editor.updateCollection(id, { name: "Of a colleague", description: "Written meanwhile." });
      await dialog.getByRole("button", { name: "Save" }).click();
      await dialog.waitFor({ state: "detached" });
      const after = { name: "Of a colleague", description: "Written meanwhile.", icon: "🌱" };
      expect(await editor.getCollection(id)).toMatchObject(after);
    });
  });

  it("is deleted after a typed word only", { meta: { proves: ["web.collection"] }, timeout: 3 * timeout }, async () => {
    const { world } = site.setting;
    const id = await openCollection(world, "Short-lived");
    // The news of the deletion may come before its page was left.
    const options = { ...wide, possible: [/status of 404/] };
    await site.withPage(world.people.admin, options, async (page) => {
      await visit(page, id);
      await choose(page, "Delete collection");
      const dialog = page.locator("dialog[open]");
      const confirm = dialog.getByRole("button", { name: "Delete collection" });
      expect(await confirm.isDisabled()).toBe(true);
      await dialog.getByRole("textbox").fill("delete");
      await confirm.click();
      await page.waitForURL((url) => url.pathname === "/");
      expect((await site.setting.get(`/collections/${id}`, world.people.admin)).status).toBe(404);
    });
  });

  it("in Arabic the mark of a draft stands behind its title, also an English one, before the app and with it", {
    meta: { proves: ["web.page.accessible"] },
    timeout,
  }, async () => {
    const { world } = site.setting;
    const id = await openCollection(world, "Marks");
    const editor = callerOf(world, world.people.editor);
    await editor.create({ title: "Walrus", collectionId: id, publish: true });
    await editor.create({ title: "Badger", collectionId: id });
    for (const javaScriptEnabled of [false, true]) {
      await site.withPage(world.people.editor, { ...wide, javaScriptEnabled }, async (page) => {
        await page.context().addCookies([{ name: "kb_locale", value: "ar", url: site.origin }]);
        await page.goto(`${site.origin}/collections/${id}`);
        if (javaScriptEnabled) await started(page);
        const row = main(page).locator("li", { hasText: "Badger" });
        const title = await row.getByText("Badger", { exact: true }).boundingBox();
        const mark = await row.locator(".tag").boundingBox();
        expect(mark?.x).toBeLessThan(title?.x ?? 0);
      });
    }
  });

  it("offers each role what it may do, and an empty one the first document to those who may write", {
    meta: { proves: ["web.collection", "web.walk", "web.abilities"] },
    timeout: 4 * timeout,
  }, async () => {
    const { world } = site.setting;
    const id = await openCollection(world, "Roles");
    const exports = ["Export as Markdown (ZIP)", "Export as HTML (ZIP)"];
    const change = ["New document", "Edit collection"];
    const expected = {
      admin: [...change, "Who has access", ...exports, "Archive collection", "Delete collection"],
      editor: [...change, ...exports, "Archive collection"],
      member: ["New document", ...exports],
      viewer: exports,
    };
    for (const role of ["admin", "editor", "member", "viewer"] as const) {
      await site.withPage(world.people[role], wide, async (page) => {
        await visit(page, id);
        const button = main(page).getByRole("button", { name: /^Actions for/ });
        const mayWrite = role !== "viewer";
        expect(await main(page).getByRole("button", { name: "New document" }).count(), role).toBe(Number(mayWrite));
        // That it is empty is said once.
        expect(
          await main(page)
            .getByText(/documents?\b/i)
            .filter({ hasNotText: "New document" })
            .count(),
          role,
        ).toBe(1);
        await button.click();
        expect(await menuEntries(page), role).toEqual(expected[role]);
      });
      const page = await (await site.setting.get(`/collections/${id}`, world.people[role])).text();
      expect(page, role).not.toContain("0 documents");
    }
  });
});
