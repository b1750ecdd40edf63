import { invoke, operations } from "@kb/core";
import { timeout } from "@kb/testing/chromium";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { withoutClipboard, withoutCopying } from "./clipboard.ts";
import { refuse } from "./refuse.ts";
import { openSite, type Site, settled, started } from "./site.ts";

describe("what keeps the app from its service, in Chromium", () => {
  let site: Site;
  let path: string;
  beforeAll(async () => {
    site = await openSite();
    const { world } = site.setting;
    const { id } = await invoke(world.service, operations.createDocument, world.people.editor.actor, {
      collectionId: world.collections.open,
      title: "Deploying",
      text: "Read this first.",
      publish: true,
    });
    path = `/documents/${id}`;
  });
  afterAll(() => site?.close(), timeout);

  const open = async (page: Page, at = path): Promise<void> => {
    await page.goto(`${site.origin}${at}`);
    await started(page);
  };
  const visible = (page: Page, text: RegExp) => page.getByText(text).first().waitFor();

  it("a limit and an outage are counted down, and what waited appears by itself", {
    meta: { proves: ["web.states"] },
    timeout,
  }, async () => {
    for (const [status, text] of [
      [429, /Too many requests/],
      [503, /not available/],
    ] as const) {
      await site.withPage(
        site.setting.world.people.viewer,
        { expected: [new RegExp(`status of ${status}`)] },
        async (page) => {
          await open(page);
          refuse(site, "/api/v1/tags", status, { "Retry-After": "1" });
          await page.getByRole("link", { name: "Tags" }).first().click();
          await visible(page, text);
          await page
            .getByRole("article")
            .or(page.getByRole("heading", { name: "Tags" }))
            .first()
            .waitFor();
          site.intercept(undefined);
          await page.locator("main .rows, main p.quiet").first().waitFor();
          await page.getByText(text).first().waitFor({ state: "detached" });
        },
      );
    }
  });

  it("somebody without access reads who gives it; without a clipboard, the address to send is selected", {
    meta: { proves: ["web.states"] },
    timeout,
  }, async () => {
    const { people, collections } = site.setting.world;
    await site.withPage(people.viewer, { expected: [/status of 403/] }, async (page) => {
      await withoutClipboard(page);
      await withoutCopying(page);
      await open(page, `/collections/${collections.open}`);
      refuse(site, "/api/documents.view", 403);
      await page.getByRole("main").getByRole("link", { name: "Deploying" }).click();
      await visible(page, /Administrators of your team: .*Admin of Team/);
      await page.getByRole("button", { name: "Copy the address" }).click();
      await visible(page, /did not allow copying/);
      expect(await page.evaluate(() => String(getSelection()))).toBe(`${site.origin}${path}`);
      site.intercept(undefined);
    });
  });

  it("without a network the open page stays readable, and the next one comes when the network is back", {
    meta: { proves: ["web.states"] },
    timeout,
  }, async () => {
    await site.withPage(
      site.setting.world.people.viewer,
      { possible: [/net::ERR_INTERNET_DISCONNECTED/] },
      async (page) => {
        await open(page);
        await page.getByRole("link", { name: "Drafts" }).first().hover();
        await settled(page);
        await page.context().setOffline(true);
        await page.getByRole("link", { name: "Drafts" }).first().click();
        await visible(page, /can’t be reached/);
        await page.goBack();
        await visible(page, /Read this first/);
        await page.context().setOffline(false);
        await page.getByRole("link", { name: "Drafts" }).first().click();
        await page.locator("main .rows, main p.quiet").first().waitFor();
      },
    );
  });

  it("a session that ends midway keeps the page, which continues after a log-in in another tab", {
    meta: { proves: ["web.states", "web.states.log-in"] },
    timeout,
  }, async () => {
    const { world } = site.setting;
    await site.withPage(world.people.viewer, { expected: [/status of 401/] }, async (page) => {
      await open(page);
      await page.context().clearCookies({ name: "kb_session" });
      await page.getByRole("link", { name: "Trash" }).first().click();
      const dialog = page.getByRole("dialog", { name: "You are logged out" });
      await dialog.waitFor();
      expect(await dialog.getByRole("link", { name: "Log in again" }).getAttribute("href")).toContain("/logged-in");
      const { token } = await world.session(world.people.viewer);
      const cookie = { name: "kb_session", value: token, url: site.origin, httpOnly: true, sameSite: "Lax" as const };
      await page.context().addCookies([cookie]);
      await page.evaluate(() => dispatchEvent(new Event("focus")));
      await dialog.waitFor({ state: "detached" });
      await page.getByRole("heading", { name: "Trash" }).waitFor();
      await page.locator("main .rows, main p.quiet").nth(1).waitFor();
    });
  });

  it("a module of an older release that is gone loads the page anew once, and then says so", {
    meta: { proves: ["web.states"] },
    timeout,
  }, async () => {
    await site.withPage(site.setting.world.people.viewer, { expected: [/404 .*tags-/] }, async (page) => {
      let documents = 0;
      page.on("request", (request) => {
        if (request.resourceType() === "document") documents += 1;
      });
      await open(page);
      site.intercept((requested) =>
        /^\/assets\/tags-/.test(requested) ? new Response(null, { status: 404 }) : undefined,
      );
      await page.getByRole("link", { name: "Tags" }).first().click();
      await visible(page, /newer version|did not load/);
      expect(documents).toBeLessThanOrEqual(3);
      site.intercept(undefined);
      await page.getByRole("button", { name: "Reload" }).click();
      await page.getByRole("heading", { name: "Tags" }).waitFor();
    });
  });

  it.each([
    ["the module of its screen does", "document"],
    ["the words of its language do", "en"],
  ])(
    "a page stays readable if %s not come, and says so",
    {
      meta: { proves: ["web.states"] },
      timeout,
    },
    async (_, module) => {
      const { people, documents } = site.setting.world;
      const path = new RegExp(`^/assets/${module}-`);
      await site.withPage(people.viewer, { expected: [new RegExp(`404 .*/assets/${module}-`)] }, async (page) => {
        site.intercept((requested) => (path.test(requested) ? new Response(null, { status: 404 }) : undefined));
        await page.goto(`${site.origin}/documents/${documents.guide.id}`);
        await page.getByRole("alert").filter({ hasText: "newer version" }).waitFor();
        expect(await page.locator("main h1").first().textContent()).toContain("Guide");
        expect(await page.locator("article[data-key]").count()).toBe(1);
        site.intercept(undefined);
        await page.getByRole("button", { name: "Reload" }).click();
        await started(page);
      });
    },
  );

  it("while a page is loaded anew for a module that is gone, nothing says that it is gone", {
    meta: { proves: ["web.states"] },
    timeout,
  }, async () => {
    const gone = { expected: [/404 .*\/assets\/document-/] };
    await site.withPage(site.setting.world.people.viewer, gone, async (page) => {
      await page.addInitScript(() => {
        const record = (): void => {
          const said = document.querySelector("main [role=alert]")?.textContent;
          if (said) sessionStorage.setItem("said", said);
        };
        new MutationObserver(record).observe(document, { childList: true, subtree: true });
      });
      let loads = 0;
      await page.route(`**${path}`, async (route) => {
        loads += 1;
        // The newer release has it.
        if (loads > 1) site.intercept(undefined);
        await route.continue();
      });
      site.intercept((asked) => (/^\/assets\/document-/.test(asked) ? new Response(null, { status: 404 }) : undefined));
      try {
        await page.goto(`${site.origin}${path}`).catch(() => undefined);
        await started(page);
        await settled(page);
      } finally {
        site.intercept(undefined);
      }
      expect(loads).toBe(2);
      expect(await page.evaluate(() => sessionStorage.getItem("said"))).toBe(null);
    });
  });

  it("a menu whose module does not come says so, and opens once the network is back", {
    meta: { proves: ["web.states"] },
    timeout,
  }, async () => {
    const problems = { possible: [/net::ERR_INTERNET_DISCONNECTED/] };
    await site.withPage(site.setting.world.people.viewer, problems, async (page) => {
      const { promise: isOffline, resolve: goOffline } = Promise.withResolvers<void>();
      // The page at rest asks for it by itself; not before the network is gone does it learn that it does not come.
      await page.route(/\/account-menu-/, async (route) => {
        await isOffline;
        await route.abort("internetdisconnected");
      });
      await open(page);
      await page.context().setOffline(true);
      goOffline();
      const account = page.getByRole("button", { name: "Account" });
      await account.click();
      await visible(page, /Nothing was changed/);
      expect(await account.getAttribute("aria-expanded")).toBe("false");
      await page.unroute(/\/account-menu-/);
      await page.context().setOffline(false);
      await account.click();
      await page.getByRole("menuitem", { name: "Log out" }).waitFor();
    });
  });

  it("a navigation that the reader gives up shows nothing of it when its answer comes late", {
    meta: { proves: ["web.states"] },
    timeout,
  }, async () => {
    await site.withPage(site.setting.world.people.viewer, {}, async (page) => {
      await open(page, `/collections/${site.setting.world.collections.open}`);
      const { promise: released, resolve: release } = Promise.withResolvers<void>();
      await page.route("**/api/documents.view", async (route) => {
        await released;
        // The app may have given up its request.
        await route.continue().catch(() => {});
      });
      const asked = page.waitForRequest("**/api/documents.view");
      await page.getByRole("main").getByRole("link", { name: "Deploying" }).click();
      await asked;
      await page.getByRole("link", { name: "Tags" }).first().click();
      await page.locator("h1:focus", { hasText: "Tags" }).waitFor();
      release();
      await settled(page);
      expect(new URL(page.url()).pathname).toBe("/tags");
      expect(await page.locator("h1").allTextContents()).toEqual(["Tags"]);
      // It is a step of the history all the same, and opens there.
      await page.goBack();
      await page.locator("h1:focus", { hasText: "Deploying" }).waitFor();
    });
  });

  it("the heading has the focus after going back, to a page that was open before too", {
    meta: { proves: ["web.states"] },
    timeout,
  }, async () => {
    await site.withPage(site.setting.world.people.editor, {}, async (page) => {
      await open(page, `${path}/history`);
      const heading = page.locator("h1:focus");
      await page.getByRole("main").getByRole("link", { name: "Revision 1" }).click();
      await heading.filter({ hasText: "Deploying" }).waitFor();
      await page.goBack();
      await heading.filter({ hasText: "History" }).waitFor();
      await page.goForward();
      await heading.filter({ hasNotText: "History" }).waitFor();
      await page.getByRole("main").getByRole("link", { name: "History" }).click();
      await heading.filter({ hasText: "History" }).waitFor();
    });
  });
});
