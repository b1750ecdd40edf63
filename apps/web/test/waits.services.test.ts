import { invoke, operations } from "@kb/core";
import { callerOf } from "@kb/core/testing";
import { timeout } from "@kb/testing/chromium";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { refuse } from "./refuse.ts";
import { openSite, type Site, settled, started } from "./site.ts";

describe("an app that waits for its service, in Chromium", () => {
  let site: Site;
  let path: string;
  beforeAll(async () => {
    site = await openSite();
    const { world } = site.setting;
    const { id } = await invoke(world.service, operations.createDocument, world.people.editor.actor, {
      collectionId: world.collections.open,
      title: "Waiting",
      text: "Before.",
      publish: true,
    });
    path = `/documents/${id}`;
  });
  afterAll(() => site?.close(), timeout);

  const open = async (page: Page, at = path): Promise<void> => {
    await page.goto(`${site.origin}${at}`);
    await started(page);
  };
  /** Writes what the service does not take. */
  const writeOnlyHere = async (page: Page): Promise<void> => {
    await open(page, `${path}?edit=source`);
    const field = page.getByRole("textbox", { name: "Markdown" });
    await field.waitFor();
    refuse(site, "/api/v1/", 503);
    await field.fill("Only here.");
    await page
      .getByRole("main")
      .getByRole("status")
      .getByText(/^Not saved:/)
      .waitFor();
  };
  const logOut = async (page: Page): Promise<void> => {
    await page.getByRole("button", { name: "Account" }).click();
    await page.getByRole("menuitem", { name: "Log out" }).click();
    await page.getByRole("button", { name: "Delete it and log out" }).waitFor();
  };
  const confirm = (page: Page): Promise<void> => page.getByRole("button", { name: "Delete it and log out" }).click();
  /** Ends a person's sessions in the service, as a log-out whose answer is lost does. */
  const endSessions = async (): Promise<void> => {
    const { service, teamId, people } = site.setting.world;
    await service.database.client.browserSession.deleteMany({ where: { teamId, userId: people.editor.id } });
  };
  /** Serves the page that another app serves, which says that nobody is logged in. */
  const serveLogOut = async (page: Page, answer: () => Promise<"lost" | "ended">): Promise<void> => {
    await page.context().route("**/logout", async (route) => {
      if (route.request().method() === "GET")
        return route.fulfill({ contentType: "text/html", body: "<!doctype html><title>Out</title><p>You are out" });
      if ((await answer()) === "lost") return route.abort();
      return route.fulfill({ status: 303, headers: { Location: "/logout" } });
    });
  };
  const drafts = (page: Page): Promise<number> =>
    page.evaluate(
      () =>
        new Promise<number>((resolve, reject) => {
          const request = indexedDB.open("kb-drafts", 1);
          request.onerror = () => reject(request.error);
          request.onsuccess = () => {
            const count = request.result.transaction("drafts").objectStore("drafts").count();
            count.onsuccess = () => resolve(count.result);
          };
        }),
    );

  it("a failed list names the number of its request, and a wait of ten minutes is shown, bounded, and over with the outage", {
    meta: { proves: ["web.states.wait"] },
    timeout: 2 * timeout,
  }, async () => {
    await site.withPage(site.setting.world.people.viewer, { expected: [/status of 500/] }, async (page) => {
      await open(page);
      refuse(site, "/api/v1/documents", 500, { "Retry-After": "600", "X-Request-Id": "number-17" });
      await page.getByRole("link", { name: "Drafts" }).first().click();
      const alert = page.getByRole("main").getByRole("alert");
      await alert.getByText(/number-17/).waitFor();
      await page.getByText(/Trying again in 5 minutes/).waitFor();
      site.intercept(undefined);
      await alert.getByRole("button", { name: "Try again" }).click();
      await page.locator("main .rows, main p.quiet").first().waitFor();
      await page.getByText(/Trying again in/).waitFor({ state: "detached" });
    });
  });

  it("a list that failed by a limit comes by itself once the wait that the service named is over", {
    meta: { proves: ["web.states.wait"] },
    timeout: 2 * timeout,
  }, async () => {
    await site.withPage(site.setting.world.people.viewer, { expected: [/status of 429/] }, async (page) => {
      await open(page);
      refuse(site, "/api/v1/documents", 429, { "Retry-After": "11" });
      await page.getByRole("link", { name: "Drafts" }).first().click();
      await page.getByRole("main").getByRole("alert").waitFor();
      let asked = 0;
      page.on("request", (request) => {
        if (request.url().includes("/api/v1/documents")) asked += 1;
      });
      await page.getByText(/Trying again in [1-5] seconds?/).waitFor();
      expect(asked).toBe(0);
      site.intercept(undefined);
      await page.locator("main .rows, main p.quiet").first().waitFor();
    });
  });

  it("without a network the bar says how many documents have changes that are only on this device", {
    meta: { proves: ["web.states.pending"] },
    timeout,
  }, async () => {
    const problems = { possible: [/503 .*documents/, /net::ERR_INTERNET_DISCONNECTED/] };
    await site.withPage(site.setting.world.people.editor, problems, async (page) => {
      page.on("dialog", (dialog) => void dialog.accept());
      await writeOnlyHere(page);
      await page.context().setOffline(true);
      await page
        .getByText(/can’t be reached.* Changes of 1 document are saved on this device/)
        .first()
        .waitFor();
      await page.context().setOffline(false);
      site.intercept(undefined);
      await page
        .getByRole("main")
        .getByRole("status")
        .getByText(/^Saved$/)
        .waitFor({ timeout });
      await page.getByText(/saved on this device/).waitFor({ state: "detached" });
    });
  });

  it("a log-out whose answer was lost asks the service, and says what it knows", {
    meta: { proves: ["web.log-out"] },
    timeout,
  }, async () => {
    const problems = { possible: [/503 .*documents/, /ERR_(FAILED|INTERNET_DISCONNECTED)/, /401/] };
    await site.withPage(site.setting.world.people.editor, problems, async (page) => {
      page.on("dialog", (dialog) => void dialog.accept());
      await serveLogOut(page, async () => {
        await endSessions();
        return "lost";
      });
      await writeOnlyHere(page);
      await logOut(page);
      await page.context().setOffline(true);
      await confirm(page);
      const alert = page.getByRole("dialog").getByRole("alert");
      await alert.getByText("it is not known whether you are logged out. Nothing was deleted.").waitFor();
      expect(await drafts(page)).toBe(1);
      await page.context().setOffline(false);
      // The service ended the session; only its answer did not come.
      await confirm(page);
      await page.getByText("You are out").waitFor();
      expect(await drafts(page)).toBe(0);
      site.intercept(undefined);
    });
  });

  it("a log-out that deletes unsent text takes it from the other tabs too, which leave their pages", {
    meta: { proves: ["web.log-out"] },
    timeout,
  }, async () => {
    await site.withPage(site.setting.world.people.editor, { possible: [/503 .*documents/, /401/] }, async (writing) => {
      writing.on("dialog", (dialog) => void dialog.accept());
      await writeOnlyHere(writing);
      const other = await writing.context().newPage();
      await serveLogOut(other, async () => {
        await endSessions();
        return "ended";
      });
      await open(other);
      await logOut(other);
      await confirm(other);
      await other.getByText("You are out").waitFor();
      await writing.getByText("You are out").waitFor();
      expect(await writing.content()).not.toContain("Only here.");
      expect(await drafts(other)).toBe(0);
      site.intercept(undefined);
    });
  });

  it("a session that is ended elsewhere is told in the open page, without a click", {
    meta: { proves: ["web.states.log-in"] },
    timeout,
  }, async () => {
    const { world } = site.setting;
    await site.withPage(world.people.member, { expected: [/status of 401/] }, async (page) => {
      const stream = page.waitForResponse((response) => response.url().includes("/api/app.events"));
      await open(page);
      await stream;
      await settled(page);
      await callerOf(world, await world.session(world.people.admin)).run(operations.suspendUser, {
        id: world.people.member.id,
      });
      await page.getByRole("dialog", { name: "You are logged out" }).waitFor();
    });
  });
});
