import { setTimeout } from "node:timers/promises";
import { invoke, operations } from "@kb/core";
import { timeout } from "@kb/testing/chromium";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { layoutShifts, recordShifts } from "./layout-shifts.ts";
import { menuEntries, openSite, type Site, settled, started } from "./site.ts";

declare global {
  /** Set by a page before its own scripts run: the article of the server. */
  var firstView: { article: Element | null };
}

const markdown = `Read this first.

## Steps

1. Build
2. Ship

- [x] tested
- [ ] deployed

\`\`\`typescript
const answer: number = 42; // the answer
\`\`\`

## A table

| Name | Value |
| --- | --- |
| one | 1 |

### More

See [the guide](/documents/018f0000-0000-7000-8000-000000000000)[^1].

[^1]: A note.
`;

/** Streams the parts with a pause before each, in which a browser draws what it has. */
function arriving(parts: readonly string[]): ReadableStream<Uint8Array> {
  const rest = [...parts];
  const encoder = new TextEncoder();
  return new ReadableStream({
    pull: async (controller) => {
      const part = rest.shift();
      if (part === undefined) return controller.close();
      await setTimeout(200);
      controller.enqueue(encoder.encode(part));
    },
  });
}

const desk = { viewport: { width: 1280, height: 900 } };

describe("the web app in Chromium", () => {
  let site: Site;
  let documentId: string;

  beforeAll(async () => {
    site = await openSite();
    const { world } = site.setting;
    const { id } = await invoke(world.service, operations.createDocument, world.people.editor.actor, {
      collectionId: world.collections.open,
      title: "Deploying on Fridays",
      text: markdown,
      tags: ["howto"],
      publish: true,
    });
    documentId = id;
  });

  afterAll(() => site?.close(), timeout);

  it.each([1280, 320])(
    "without script a reader gets from the first page to a document and back, at %i px",
    {
      meta: { proves: ["web.page.readable"] },
      timeout,
    },
    async (width) => {
      const options = { javaScriptEnabled: false, viewport: { width, height: 720 } };
      await site.withPage(site.setting.world.people.viewer, options, async (page) => {
        await page.goto(`${site.origin}/`);
        await page.getByRole("link", { name: "Deploying on Fridays" }).first().click();
        expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("Deploying on Fridays");
        expect(await page.getByRole("article").textContent()).toContain("Read this first.");
        if (width < 1100) await page.locator("summary", { hasText: "On this page" }).click();
        await page.getByRole("link", { name: "Steps" }).click();
        expect(new URL(page.url()).hash).toBe("#steps");
        await page.getByRole("searchbox").fill("Fridays");
        await page.keyboard.press("Enter");
        await page.getByRole("link", { name: "Deploying on Fridays" }).click();
        expect(new URL(page.url()).pathname).toBe(`/documents/${documentId}`);
        const navigation = page.locator("nav.sidebar");
        await navigation.getByRole("link", { name: "Tags", exact: true }).click();
        expect(new URL(page.url()).pathname).toBe("/tags");
        const content = await page.locator("main").boundingBox();
        const links = await navigation.boundingBox();
        if (content === null || links === null) throw new Error("a part of the page is not shown");
        const isBelow = links.y >= content.y + content.height;
        expect(isBelow).toBe(width < 720);
      });
    },
  );

  it("the app keeps the server's article as the same element, and nothing moves", {
    meta: { proves: ["web.page.adopted"] },
    timeout,
  }, async () => {
    await site.withPage(site.setting.world.people.viewer, desk, async (page) => {
      await recordShifts(page);
      await page.addInitScript(() => {
        const seen: typeof firstView = { article: null };
        globalThis.firstView = seen;
        document.addEventListener("readystatechange", () => {
          seen.article ??= document.querySelector("article");
        });
      });
      await page.goto(`${site.origin}/documents/${documentId}`);
      await started(page);
      await page.locator(".copy-code").waitFor();
      expect(await page.evaluate(() => firstView.article === document.querySelector("article"))).toBe(true);
      expect(await layoutShifts(page)).toEqual([]);
    });
  });

  it("a page that arrives in pieces is drawn once it is whole, and nothing in it moves", {
    meta: { proves: ["web.page.whole"] },
    timeout,
  }, async () => {
    const pieces = /(?<=class="bar-home"[^>]*>|<main[^>]*>|<article[^>]*>)/;
    site.serveBy(async (request, bindings) => {
      const { headers } = request;
      headers.delete("accept-encoding");
      const answer: unknown = await site.setting.fetch(new Request(request, { headers }), bindings);
      const isPage = answer instanceof Response && answer.headers.get("content-type")?.startsWith("text/html") === true;
      if (!isPage) return answer;
      return new Response(arriving((await answer.text()).split(pieces)), answer);
    });
    try {
      await site.withPage(site.setting.world.people.viewer, desk, async (page) => {
        await recordShifts(page);
        await page.goto(`${site.origin}/documents/${documentId}`);
        await started(page);
        expect(await layoutShifts(page)).toEqual([]);
      });
    } finally {
      site.serveBy(site.setting.fetch);
    }
  });

  it("a heading cannot stand for the data of the page, whatever its id", {
    meta: { proves: ["web.hostile"] },
    timeout,
  }, async () => {
    const { world } = site.setting;
    const { id } = await invoke(world.service, operations.createDocument, world.people.editor.actor, {
      collectionId: world.collections.open,
      title: "Boot",
      text: '## Boot\n\n## {"answers":[]} {#boot}\n\n## App\n\n## App-end\n',
      publish: true,
    });
    await site.withPage(world.people.viewer, desk, async (page) => {
      await page.goto(`${site.origin}/documents/${id}`);
      await started(page);
      expect(await page.locator("h2#boot").count()).toBeGreaterThan(0);
      await page.getByRole("button", { name: "Star" }).first().waitFor();
    });
  });

  it("a first view of a document loads no data beside the page: 0 requests of the API", { timeout }, async () => {
    await site.withPage(site.setting.world.people.viewer, {}, async (page) => {
      const calls: string[] = [];
      page.on("request", (request) => {
        if (new URL(request.url()).pathname.startsWith("/api/")) calls.push(request.url());
      });
      await page.goto(`${site.origin}/documents/${documentId}`);
      await started(page);
      await settled(page);
      expect(calls.filter((url) => !url.includes("app.events"))).toEqual([]);
    });
  });

  it("going to another page of the app takes at most 3 requests, each of them named by its screen", {
    meta: { proves: ["web.requests"] },
    timeout: 2 * timeout,
  }, async () => {
    const { people, collections } = site.setting.world;
    await site.withPage(people.editor, desk, async (page) => {
      await page.goto(`${site.origin}/`);
      await started(page);
      await settled(page);
      const calls: string[] = [];
      page.on("request", (request) => {
        const { pathname } = new URL(request.url());
        if (/^\/(api|files)\//.test(pathname) && pathname !== "/api/app.events") calls.push(pathname);
      });
      const views: [string, () => Promise<void>][] = [
        ["collection", () => page.locator(`a[href="/collections/${collections.open}"]`).first().press("Enter")],
        ["document", () => page.locator(`main a[href="/documents/${documentId}"]`).first().press("Enter")],
        ["history", () => page.locator(`main a[href="/documents/${documentId}/history"]`).press("Enter")],
        ["revision", () => page.locator("main .rows a").first().press("Enter")],
        ...["drafts", "archive", "trash", "help", "search", "tags"].map((name): [string, () => Promise<void>] => [
          name,
          () => page.locator(`nav a[href="/${name}"]`).first().press("Enter"),
        ]),
        ["tags/howto", () => page.locator('main a[href="/tags/howto"]').press("Enter")],
        ["", () => page.locator(".bar-home").press("Enter")],
      ];
      for (const [name, go] of views) {
        calls.length = 0;
        await go();
        await page.waitForFunction(
          // The search has the focus in its field.
          ([part = ""]) =>
            (part === "" ? location.pathname === "/" : location.pathname.includes(part)) &&
            document.querySelector("h1:focus, #main input:focus") !== null,
          [name === "revision" ? "history/" : name],
        );
        await settled(page);
        expect(calls.length, `${name}: ${calls.join(" ")}`).toBeLessThanOrEqual(3);
      }
    });
  });

  it("a first view loads only files that its page names, so none of them waits for another", {
    meta: { proves: ["web.page.files"] },
    timeout,
  }, async () => {
    const { people } = site.setting.world;
    for (const path of ["/", "/drafts", `/collections/${site.setting.world.collections.open}`]) {
      await site.withPage(people.viewer, {}, async (page) => {
        const files: string[] = [];
        page.on("request", (request) => {
          const { pathname } = new URL(request.url());
          if (pathname.startsWith("/assets/")) files.push(pathname);
        });
        const text = await (await page.goto(`${site.origin}${path}`))?.text();
        await started(page);
        expect(files.length).toBeLessThanOrEqual(10);
        expect(files.filter((name) => text?.includes(name) !== true)).toEqual([]);
      });
    }
  });

  it("a hit of quick open is opened by the keyboard, and the heading has the focus", {
    meta: { proves: ["web.quick-open"] },
    timeout,
  }, async () => {
    await site.withPage(site.setting.world.people.viewer, {}, async (page) => {
      await page.goto(`${site.origin}/`);
      await started(page);
      await page.keyboard.press("Control+k");
      await page.locator("[role=dialog] input:focus").waitFor();
      await page.keyboard.type("Deploying");
      await page.getByRole("menuitem", { name: "Deploying on Fridays" }).waitFor();
      await page.keyboard.press("Enter");
      await page.locator("h1:focus", { hasText: "Deploying on Fridays" }).waitFor();
      expect(new URL(page.url()).pathname).toBe(`/documents/${documentId}`);
      // Finds words of the text too, and runs commands.
      await page.keyboard.press("Control+k");
      await page.locator("[role=dialog] input:focus").waitFor();
      await page.keyboard.type("deployed");
      await page.getByRole("group", { name: "In the text" }).getByRole("menuitem").first().waitFor();
      await page.keyboard.press("Control+a");
      await page.keyboard.type(">dark");
      await page.getByRole("menuitem", { name: "Appearance: Dark" }).waitFor();
      await page.keyboard.press("Enter");
      await page.locator('html[data-theme="dark"]').waitFor();
    });
  });

  it("a reader who comes back to the first document finds its text", {
    meta: { proves: ["web.page.adopted"] },
    timeout,
  }, async () => {
    await site.withPage(site.setting.world.people.viewer, {}, async (page) => {
      await page.goto(`${site.origin}/documents/${documentId}`);
      await started(page);
      await page.locator(".bar-home").click();
      await page.locator("h1", { hasText: "Home" }).waitFor();
      await page.getByRole("main").getByRole("link", { name: "Deploying on Fridays" }).first().click();
      await page.getByRole("article").getByText("Read this first.").waitFor({ timeout: 5_000 });
    });
  });

  it("actions that the reader may not take are absent; those of an editor work", {
    meta: { proves: ["web.abilities"] },
    timeout,
  }, async () => {
    const { world } = site.setting;
    const { id } = await invoke(world.service, operations.createDocument, world.people.editor.actor, {
      collectionId: world.collections.open,
      title: "To be archived",
      publish: true,
    });
    const actionsOf = async (page: Page): Promise<string[]> => {
      await page.goto(`${site.origin}/documents/${id}`);
      await started(page);
      await page.getByRole("button", { name: "Actions" }).click();
      return menuEntries(page);
    };
    await site.withPage(world.people.viewer, {}, async (page) => {
      expect(await actionsOf(page)).toEqual(["Star", "History", "Copy link", "Print"]);
    });
    await site.withPage(world.people.editor, {}, async (page) => {
      expect(await actionsOf(page)).toEqual([
        "New page inside",
        "Edit",
        "Rename",
        "Change emoji",
        "Edit tags",
        "Move",
        "Star",
        "History",
        "Copy link",
        "Print",
        "Turn into a draft",
        "Archive",
        "Move to trash",
      ]);
      await page.getByRole("menuitem", { name: "Archive" }).click();
      await page.getByText("This document is archived.").waitFor();
      await page.getByRole("button", { name: "Unarchive" }).click();
      await page.getByText("This document is archived.").waitFor({ state: "detached" });
    });
  });
});
