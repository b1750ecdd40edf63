import { readFileSync } from "node:fs";
import { timeout } from "@kb/testing/chromium";
import type { Download, Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { started } from "./site.ts";
import { siteOfSuite } from "./site-of-suite.ts";

const site = await siteOfSuite();

describe("the export of collections in Chromium", () => {
  const { people } = site.setting.world;
  const open = async (page: Page): Promise<void> => {
    await page.goto(`${site.origin}/settings/transfer`);
    await started(page);
  };
  const exportButton = (page: Page) => page.getByRole("button", { name: "Export", exact: true });

  it("saves an archive for each collection that is chosen, and leaves links to save them again", {
    timeout: 2 * timeout,
  }, async () => {
    await site.withPage(people.admin, {}, async (page) => {
      await open(page);
      await page.getByRole("checkbox", { name: "Vault" }).uncheck();
      const downloads: Download[] = [];
      page.on("download", (download) => downloads.push(download));
      await exportButton(page).click();
      await page.getByText("3 of 3 collections exported.").waitFor();
      const names = () => downloads.map((download) => download.suggestedFilename());
      await expect.poll(() => names().toSorted(), { timeout }).toEqual(["Granted.zip", "Open.zip", "Readable.zip"]);
      const paths = await Promise.all(downloads.map((download) => download.path()));
      const contents = paths.map((path) => readFileSync(path, "latin1"));
      expect(contents.every((text) => text.startsWith("PK\x03\x04") && text.includes("manifest.json"))).toBe(true);
      const again = page.waitForEvent("download");
      await page.getByRole("link", { name: /^Open\.zip/ }).click();
      expect((await again).suggestedFilename()).toBe("Open.zip");
    });
  });

  it("says why a collection was not exported and goes on with the next", { timeout: 2 * timeout }, async () => {
    await site.withPage(people.admin, { expected: [/status of 503/] }, async (page) => {
      await open(page);
      for (const name of ["Vault", "Readable"]) await page.getByRole("checkbox", { name }).uncheck();
      let refused = 0;
      site.intercept((path) => {
        if (path !== "/api/v1/collections.export" || refused > 0) return undefined;
        refused += 1;
        return Response.json({ error: "Busy.", code: "unavailable" }, { status: 503 });
      });
      const saved = page.waitForEvent("download");
      await exportButton(page).click();
      await page.getByText("1 of 2 collections exported.").waitFor();
      site.intercept(undefined);
      expect((await saved).suggestedFilename()).toBe("Open.zip");
      expect(await page.locator(".settings-content .rows [role=alert]").count()).toBe(1);
    });
  });

  it("asks for another log-in when the session has ended, and exports afterwards", {
    timeout: 2 * timeout,
  }, async () => {
    await site.withPage(people.admin, { expected: [/status of 401/] }, async (page) => {
      await open(page);
      for (const name of ["Vault", "Readable", "Granted"]) await page.getByRole("checkbox", { name }).uncheck();
      site.intercept((path) =>
        path === "/api/v1/collections.export"
          ? Response.json({ error: "Log in.", code: "authentication_required" }, { status: 401 })
          : undefined,
      );
      await exportButton(page).click();
      const dialog = page.getByRole("dialog", { name: "You are logged out" });
      await dialog.getByRole("link", { name: "Log in again" }).waitFor();
      site.intercept(undefined);
      await page.evaluate(() => dispatchEvent(new Event("focus")));
      await dialog.waitFor({ state: "detached" });
      const saved = page.waitForEvent("download");
      await exportButton(page).click();
      expect((await saved).suggestedFilename()).toBe("Open.zip");
    });
  });

  it("stops an export that is running, keeps what was saved before, and says how much that is", {
    timeout: 2 * timeout,
  }, async () => {
    await site.withPage(people.viewer, {}, async (page) => {
      await open(page);
      const never = new ReadableStream<Uint8Array>({ start: (to) => to.enqueue(Buffer.from("PK\x03\x04")) });
      let requests = 0;
      site.intercept((path) => {
        if (path !== "/api/v1/collections.export") return undefined;
        requests += 1;
        return requests === 1 ? undefined : new Response(never);
      });
      await exportButton(page).click();
      await page.getByText("4 bytes received").waitFor();
      await page.getByRole("progressbar", { name: /^Export of / }).waitFor();
      await page.getByRole("button", { name: "Stop", exact: true }).click();
      await page.getByRole("button", { name: "Stop", exact: true }).waitFor({ state: "detached" });
      site.intercept(undefined);
      await page.getByText(/^Stopped: 1 of [23] collections exported, and kept\.$/).waitFor();
      expect(await page.locator(".settings-content .rows > li").count()).toBe(1);
    });
  });
});
