import { invoke, operations } from "@kb/core";
import { timeout } from "@kb/testing/chromium";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { chosen, openSite, type Site, started } from "./site.ts";
import { openCollection } from "./tree-world.ts";

describe("actions on documents in Chromium", () => {
  let site: Site;
  let from: string;
  let to: string;
  beforeAll(async () => {
    site = await openSite();
    from = await openCollection(site.setting.world, "Alpha");
    to = await openCollection(site.setting.world, "Beta");
    for (const title of ["First", "Second", "Third"]) await create(title);
    await create("Target", to);
  });
  afterAll(() => site?.close(), timeout);

  async function create(title: string, collectionId = from): Promise<string> {
    const { service, people } = site.setting.world;
    order += 1;
    const input = { collectionId, title, sortOrder: order, publish: true };
    return (await invoke(service, operations.createDocument, people.admin.actor, input)).id;
  }
  let order = 0;
  const titlesOf = async (collectionId: string): Promise<string[]> => {
    const { service, people } = site.setting.world;
    const session = await site.setting.world.session(people.editor);
    const answer = await fetch(`${site.origin}/api/documents.tree`, {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        Cookie: session.cookie,
        "X-CSRF-Token": session.csrf,
        Origin: site.origin,
      },
      body: JSON.stringify({ collectionId }),
    });
    expect(service.appUrl).toBe(site.origin);
    const body = (await answer.json()) as { data: { levels: { data: { title: string }[] }[] } };
    return body.data.levels.flatMap((level) => level.data.map(({ title }) => title));
  };
  const open = async (page: Page): Promise<void> => {
    await page.goto(`${site.origin}/`);
    await started(page);
    for (const name of ["Alpha", "Beta"]) {
      await row(page, name).focus();
      if ((await row(page, name).getAttribute("aria-expanded")) === "false") await page.keyboard.press("ArrowRight");
    }
    await row(page, "First").waitFor();
    await row(page, "Target").waitFor();
  };
  const row = (page: Page, name: string) => page.getByRole("treeitem", { name, exact: true });
  const shown = async (page: Page): Promise<string[]> =>
    (await page.getByRole("treeitem").allTextContents()).filter((text) =>
      /First|Second|Third|Target|Renamed/.test(text),
    );

  it("Alt with an arrow changes the order among siblings, at once and in the service", {
    meta: { proves: ["web.sidebar.move"] },
    timeout,
  }, async () => {
    await site.withPage(site.setting.world.people.editor, {}, async (page) => {
      await open(page);
      await row(page, "Third").focus();
      await page.keyboard.press("Alt+ArrowUp");
      await expect.poll(() => shown(page)).toEqual(["First", "Third", "Second", "Target"]);
      await expect.poll(() => titlesOf(from), { timeout: 10_000 }).toEqual(["First", "Third", "Second"]);
      await page.keyboard.press("Alt+ArrowDown");
      await expect.poll(() => titlesOf(from), { timeout: 10_000 }).toEqual(["First", "Second", "Third"]);
    });
  });

  it("a document that is dropped on the upper edge of a sibling goes before it, and on the lower edge after it", {
    meta: { proves: ["web.sidebar.move"] },
    timeout,
  }, async () => {
    await site.withPage(site.setting.world.people.editor, { viewport: { width: 1280, height: 900 } }, async (page) => {
      await open(page);
      /** Drops one row on another, at a part of its height. */
      const drop = async (name: string, on: string, part: number): Promise<void> => {
        const height = (await row(page, on).boundingBox())?.height ?? 0;
        await row(page, name).dragTo(row(page, on), { targetPosition: { x: 60, y: height * part } });
      };
      await drop("Third", "First", 0.15);
      await expect.poll(() => titlesOf(from), { timeout: 10_000 }).toEqual(["Third", "First", "Second"]);
      await expect.poll(() => shown(page), { timeout: 10_000 }).toEqual(["Third", "First", "Second", "Target"]);
      await drop("Third", "Second", 0.85);
      await expect.poll(() => titlesOf(from), { timeout: 10_000 }).toEqual(["First", "Second", "Third"]);
      await expect.poll(() => shown(page), { timeout: 10_000 }).toEqual(["First", "Second", "Third", "Target"]);
    });
  });

  it("a document is dragged below another; a refused move goes back, and says why", {
    meta: { proves: ["web.sidebar.move"] },
    timeout,
  }, async () => {
    await site.withPage(
      site.setting.world.people.editor,
      { viewport: { width: 1280, height: 900 }, expected: [/409 .*documents/] },
      async (page) => {
        await open(page);
        site.intercept((path) =>
          path.startsWith("/api/v1/documents/")
            ? Response.json({ error: "Too deep.", code: "conflict" }, { status: 409 })
            : undefined,
        );
        await row(page, "Second").dragTo(row(page, "Target"));
        await page.getByText("Second⁩ was not moved. Too deep.").waitFor();
        await expect.poll(() => shown(page), { timeout: 10_000 }).toEqual(["First", "Second", "Third", "Target"]);
        site.intercept(undefined);
        await row(page, "Second").dragTo(row(page, "Target"));
        await expect.poll(() => titlesOf(from), { timeout: 10_000 }).toEqual(["First", "Third"]);
        await expect.poll(() => shown(page), { timeout: 10_000 }).toEqual(["First", "Third", "Target", "Second"]);
      },
    );
  });

  it("Move finds a place by its title, by keyboard only, and can be undone", {
    meta: { proves: ["web.sidebar.move"] },
    timeout,
  }, async () => {
    const id = await create("Traveller");
    await site.withPage(site.setting.world.people.editor, {}, async (page) => {
      await page.goto(`${site.origin}/documents/${id}`);
      await started(page);
      await page.keyboard.press("m");
      await page.locator("[role=dialog] input:focus").waitFor();
      await page.keyboard.type("Tar");
      await chosen(page, "Target");
      await page.keyboard.press("Enter");
      await page.getByText("was moved.").waitFor();
      await page.getByRole("navigation", { name: "Breadcrumbs" }).getByText("Target").waitFor();
      await page.getByRole("button", { name: "Undo" }).click();
      await page.getByRole("navigation", { name: "Breadcrumbs" }).getByText("Alpha").waitFor();
    });
  });

  it("rename, star, emoji, tags and trash with undo work by keyboard only", {
    meta: { proves: ["web.actions"] },
    timeout: 2 * timeout,
  }, async () => {
    const id = await create("Plain");
    await site.withPage(
      site.setting.world.people.editor,
      { possible: [/404 .*(documents|attachments)/] },
      async (page) => {
        await page.goto(`${site.origin}/documents/${id}`);
        await started(page);
        await row(page, "Plain").focus();
        await page.keyboard.press("F2");
        await page.locator("[role=dialog] input:focus").waitFor();
        await page.keyboard.type("Renamed");
        await page.keyboard.press("Enter");
        await page.locator("h1", { hasText: "Renamed" }).waitFor();
        await page.getByRole("dialog").waitFor({ state: "detached" });
        await page.locator("h1").focus();
        await page.keyboard.press("s");
        await page.getByRole("region", { name: "Starred" }).getByText("Renamed").waitFor();
        await command(page, "Change emoji");
        await page.locator("[role=dialog] input:focus").waitFor();
        await page.keyboard.type("🚀");
        await page.keyboard.press("Enter");
        await page.locator("h1", { hasText: "🚀" }).waitFor();
        await command(page, "Edit tags");
        await page.locator("[role=dialog] input:focus").waitFor();
        await page.keyboard.type("Launch Day");
        await chosen(page, "Create tag");
        await page.keyboard.press("Enter");
        await page.getByRole("button", { name: "Remove tag" }).waitFor();
        await page.getByRole("button", { name: "Save" }).press("Enter");
        await page.getByRole("list", { name: "Tags" }).getByText("launch day").waitFor();
        await command(page, "Move to trash");
        await page.locator("h1", { hasText: "Alpha" }).waitFor();
        await page.getByRole("button", { name: "Undo" }).press("Enter");
        await page.getByText("Undone.").waitFor();
        await expect.poll(() => titlesOf(from), { timeout: 10_000 }).toContain("Renamed");
      },
    );
  });

  const command = async (page: Page, name: string): Promise<void> => {
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.keyboard.press("Control+k");
    const field = await page.locator("[role=dialog] input:focus").elementHandle();
    await page.keyboard.type(`>${name}`);
    await chosen(page, name);
    await page.keyboard.press("Enter");
    // The command may open a dialog with a field too.
    await field?.waitForElementState("hidden");
  };
});
