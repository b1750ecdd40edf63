import { invoke, operations } from "@kb/core";
import { fillCollection } from "@kb/core/testing";
import { timeout } from "@kb/testing/chromium";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { layoutShifts, recordShifts } from "./layout-shifts.ts";
import { textOfPdfPages } from "./pdf-pages.ts";
import { openSite, type Site, settled, started } from "./site.ts";
import { findDocument, openCollection } from "./tree-world.ts";

const desk = { viewport: { width: 1280, height: 900 } };
const documents = 10_000;
const collections = 200;

describe("a team of 200 collections, one of them with 10,000 documents, in Chromium", () => {
  let site: Site;
  let large: string;

  beforeAll(async () => {
    site = await openSite();
    const { world } = site.setting;
    large = await openCollection(world, "Large");
    await fillCollection(world, large, documents);
    for (let number = 1; number < collections; number += 1) {
      await openCollection(world, `Shelf ${String(number).padStart(3, "0")}`);
    }
  }, 240_000);
  afterAll(() => site?.close(), timeout);

  const open = async (page: Page, path: string): Promise<void> => {
    const stream = page.waitForResponse((response) => response.url().includes("/api/app.events"));
    await page.goto(`${site.origin}${path}`);
    await started(page);
    await stream;
  };
  /** Records the requests of data from now on. */
  const countCalls = (page: Page): string[] => {
    const calls: string[] = [];
    page.on("request", (request) => {
      const { pathname } = new URL(request.url());
      if (pathname.startsWith("/api/") && pathname !== "/api/app.events") calls.push(pathname);
    });
    return calls;
  };
  const list = (page: Page) => page.getByRole("main").getByRole("listitem");
  /** Closes the collection in the tree, which shows its first documents, however far the list is scrolled. */
  const closeInTree = async (page: Page): Promise<void> => {
    const row = page.getByRole("treeitem", { name: "Large" });
    await row.locator('[data-action="toggle"]').click();
    await page.getByRole("treeitem", { name: "Page 00001" }).waitFor({ state: "detached" });
  };
  /** Scrolls to the end again and again, until all documents are loaded; returns the most rows that the page had. */
  const scrollToEnd = async (page: Page): Promise<number> => {
    let most = 0;
    const last = list(page).getByRole("link", { name: `Page ${documents}` });
    await expect
      .poll(
        async () => {
          most = Math.max(most, await list(page).count());
          await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
          return last.count();
        },
        { timeout: 2 * timeout },
      )
      .toBe(1);
    return most;
  };
  const rename = async (title: string, after: string): Promise<void> => {
    const { service, people } = site.setting.world;
    const id = await findDocument(site.setting.world, title);
    await invoke(service, operations.updateDocument, people.editor.actor, { id, title: after });
  };

  it("the page of a collection has at most 60 rows of its 10,000, each with its place, and Tab goes through them", {
    meta: { proves: ["web.collection.window"] },
    timeout: 4 * timeout,
  }, async () => {
    await site.withPage(site.setting.world.people.editor, desk, async (page) => {
      await open(page, `/collections/${large}`);
      await list(page).getByRole("link", { name: "Page 00001" }).focus();
      const first = await list(page)
        .first()
        .evaluate((row) => [row.ariaPosInSet, row.ariaSetSize]);
      expect(first).toEqual(["1", "-1"]);
      for (let row = 2; row <= 40; row += 1) await page.keyboard.press("Tab");
      await page.locator("a:focus", { hasText: "Page 00040" }).waitFor();
      expect(await scrollToEnd(page)).toBeLessThanOrEqual(60);
      const last = list(page).filter({ hasText: `Page ${documents}` });
      expect(await last.evaluate((row) => [row.ariaPosInSet, row.ariaSetSize])).toEqual(["10000", "10000"]);
      // The row with the focus is still there, and Tab goes on from it.
      await page.keyboard.press("Tab");
      await page.locator("a:focus", { hasText: "Page 00041" }).waitFor();
      await expect.poll(() => page.evaluate(() => scrollY)).toBeLessThan(10_000);
    });
  });

  it("a change among 10,000 siblings is read with at most 3 requests of the tree, in the sidebar and on the page", {
    meta: { proves: ["web.tree.refresh"] },
    timeout: 4 * timeout,
  }, async () => {
    await site.withPage(site.setting.world.people.editor, desk, async (page) => {
      await open(page, `/collections/${large}`);
      await scrollToEnd(page);
      await settled(page);
      const calls = countCalls(page);
      await rename("Page 09990", "Renamed in sight");
      await list(page).getByRole("link", { name: "Renamed in sight" }).waitFor();
      await settled(page);
      expect(calls.filter((path) => path === "/api/documents.tree").length).toBeLessThanOrEqual(3);
      // A change out of sight is read once its page comes onto the screen.
      await rename("Page 00007", "Renamed out of sight");
      await page.evaluate(() => scrollTo(0, 0));
      await list(page).getByRole("link", { name: "Renamed out of sight" }).waitFor();
      expect(await list(page).count()).toBeLessThanOrEqual(60);
    });
  });

  it("a document that leaves the reader's sight while it is off the screen is not shown again", {
    meta: { proves: ["web.tree.refresh"] },
    timeout: 4 * timeout,
  }, async () => {
    const { world } = site.setting;
    await site.withPage(world.people.viewer, { ...desk, expected: [/503/] }, async (page) => {
      await open(page, `/collections/${large}`);
      await closeInTree(page);
      await scrollToEnd(page);
      await settled(page);
      const id = await findDocument(world, "Page 00003");
      const tree = page.waitForResponse((response) => response.url().includes("/api/documents.tree"));
      await invoke(world.service, operations.deleteDocument, world.people.admin.actor, { id });
      await tree;
      // Without an answer of the service the page shows what it has in memory.
      site.intercept((path) => (path === "/api/documents.tree" ? new Response(null, { status: 503 }) : undefined));
      await page.evaluate(() => scrollTo(0, 0));
      await list(page).getByRole("link", { name: "Page 00004" }).waitFor();
      expect(await list(page).getByRole("link", { name: "Page 00003" }).count()).toBe(0);
      site.intercept(undefined);
    });
  });

  it("while the service has a limit, rows that come onto the screen ask once, and are read again after it", {
    meta: { proves: ["web.tree.refresh", "web.states.wait"] },
    timeout: 4 * timeout,
  }, async () => {
    await site.withPage(site.setting.world.people.editor, { ...desk, expected: [/429/] }, async (page) => {
      await open(page, `/collections/${large}`);
      await closeInTree(page);
      await scrollToEnd(page);
      await settled(page);
      await rename("Page 00011", "Renamed before the limit");
      await list(page)
        .getByRole("link", { name: `Page ${documents}` })
        .waitFor();
      await page.waitForResponse((response) => response.url().includes("/api/documents.tree"));
      await settled(page);
      const limit = { status: 429, headers: { "Retry-After": "4" } };
      site.intercept((path) =>
        path === "/api/documents.tree" ? Response.json({ error: "Later.", code: "rate_limited" }, limit) : undefined,
      );
      const calls = countCalls(page);
      await page.evaluate(async () => {
        for (let top = 0; top < 1_500; top += 25) {
          scrollTo(0, top);
          await new Promise((resolve) => requestAnimationFrame(resolve));
        }
        scrollTo(0, 0);
      });
      await page
        .getByText(/Too many requests/)
        .first()
        .waitFor();
      expect(calls.length).toBeLessThanOrEqual(6);
      site.intercept(undefined);
      await list(page).getByRole("link", { name: "Renamed before the limit" }).waitFor();
    });
  });

  it("a row that the tree has only because it was opened there leaves it with its document", {
    meta: { proves: ["web.tree.refresh", "web.current.gone"] },
    timeout: 2 * timeout,
  }, async () => {
    const { world } = site.setting;
    const id = await findDocument(world, "Page 09000");
    const problems = { expected: [/404 .*documents/], possible: [/404 .*attachments\.list/] };
    await site.withPage(world.people.viewer, { ...desk, ...problems }, async (page) => {
      await open(page, `/documents/${id}`);
      const row = page.getByRole("treeitem", { name: "Page 09000" });
      await row.waitFor();
      await invoke(world.service, operations.deleteDocument, world.people.admin.actor, { id });
      await row.waitFor({ state: "detached" });
    });
  });

  it("the row of a document far down a long level is in sight, and what lies before it comes when it is asked for", {
    meta: { proves: ["web.sidebar.window"] },
    timeout: 2 * timeout,
  }, async () => {
    const { world } = site.setting;
    const deep = await findDocument(world, "Page 08000");
    await site.withPage(world.people.viewer, desk, async (page) => {
      // With those below it, as the tree is scrolled to it at the beginning.
      const hasRowsBelow = (): Promise<boolean> =>
        page.locator('[role=treeitem][aria-current="page"]').evaluate((row) => {
          const { top, bottom } = row.getBoundingClientRect();
          return top >= 0 && bottom <= 0.6 * innerHeight;
        });
      await open(page, `/documents/${deep}`);
      await settled(page);
      expect(await hasRowsBelow()).toBe(true);
      const pages = page.getByRole("treeitem", { name: /^Page/ });
      const numbers = await pages.evaluateAll((rows) =>
        rows.map((row) => Number(row.ariaLabel?.slice("Page ".length))),
      );
      const next = Math.max(...numbers.filter((number) => number < 8_000)) + 1;
      const name = (number: number): string => `Page ${String(number).padStart(5, "0")}`;
      await page.getByRole("treeitem").getByRole("button", { name: "More documents" }).press("Enter");
      await page.getByRole("treeitem", { name: name(next) }).waitFor();
      // The keys go on from where the button was.
      await page.locator("[role=treeitem]:focus", { hasText: name(next - 1) }).waitFor();
      await page.keyboard.press("ArrowDown");
      await page.locator("[role=treeitem]:focus", { hasText: name(next) }).waitFor();
    });
  });

  it("on paper a long list names its page for printing, which has all documents", {
    meta: { proves: ["web.print.list"] },
    timeout: 2 * timeout,
  }, async () => {
    await site.withPage(site.setting.world.people.viewer, desk, async (page) => {
      await open(page, `/collections/${large}`);
      // The frame has started: the list may follow it.
      await page.getByRole("link", { name: "Print the whole list" }).waitFor();
      const text = textOfPdfPages(await page.pdf({ format: "A4" })).join("");
      expect(text).toContain(`${site.origin}/collections/${large}/print`);
      expect(text).not.toContain("Page00001");
      await page.getByRole("link", { name: "Print the whole list" }).click();
      await page.getByRole("link", { name: "Next page" }).waitFor();
      expect(await list(page).count()).toBe(2_000);
      expect(await page.locator("script").count()).toBe(0);
      await page.getByRole("link", { name: "Next page" }).click();
      await list(page).getByRole("link", { name: "Page 02500" }).waitFor();
    });
  });

  it("without script the pages of a collection follow each other, 50 documents on each", {
    meta: { proves: ["web.lists"] },
    timeout,
  }, async () => {
    await site.withPage(site.setting.world.people.viewer, { ...desk, javaScriptEnabled: false }, async (page) => {
      await page.goto(`${site.origin}/collections/${large}`);
      expect(await list(page).count()).toBe(50);
      await page.getByRole("link", { name: "Next page" }).click();
      await list(page).getByRole("link", { name: "Page 00060" }).waitFor();
      expect(await list(page).count()).toBe(50);
    });
  });

  it("the first view of the collection has all of its data, moves nothing, and keeps the sidebar at 60 rows", {
    meta: { proves: ["web.collection.window", "web.sidebar.window"] },
    timeout,
  }, async () => {
    await site.withPage(site.setting.world.people.viewer, desk, async (page) => {
      const calls = countCalls(page);
      await recordShifts(page);
      await open(page, `/collections/${large}`);
      await page.getByRole("tree").waitFor();
      expect(calls).toEqual([]);
      expect(await layoutShifts(page)).toEqual([]);
      const rows = page.getByRole("treeitem");
      expect(await rows.count()).toBeLessThanOrEqual(60);
      const tree = page.locator("[data-scroll-area]");
      await tree.evaluate((area) => area.scrollTo(0, area.scrollHeight));
      await rows.filter({ hasText: "Shelf 199" }).waitFor();
      expect(await rows.count()).toBeLessThanOrEqual(60);
      expect(await rows.filter({ hasText: "Shelf 199" }).getAttribute("aria-setsize")).not.toBe("-1");
    });
  });
});
