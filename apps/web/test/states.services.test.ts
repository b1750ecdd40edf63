import { invoke, operations } from "@kb/core";
import { timeout } from "@kb/testing/chromium";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSite, type Site, started } from "./site.ts";

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
  }, 180_000);
  afterAll(() => site?.close(), timeout);

  const answerWith = (status: number, headers: Record<string, string>, only: (path: string) => boolean): void =>
    site.intercept((requested) =>
      only(requested)
        ? Response.json(
            { error: "Not now.", code: status === 429 ? "rate_limited" : "unavailable" },
            { status, headers },
          )
        : undefined,
    );
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
          answerWith(
            status,
            { "Retry-After": "1" },
            (requested) => requested === "/api/tags.list" || requested === "/api/v1/tags",
          );
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
        await page.waitForLoadState("networkidle");
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
});
