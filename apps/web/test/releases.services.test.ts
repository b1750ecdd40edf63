import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { invoke, operations } from "@kb/core";
import { clientIp, type Fetch } from "@kb/http";
import { createLifecycle, createLogger, processLimiter } from "@kb/runtime";
import { timeout } from "@kb/testing/chromium";
import { createWeb } from "@kb/web";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { keepPreviousAssets } from "../src/build/build.ts";
import { openAssets } from "../src/server/assets.ts";
import { createDocument, editorOf, markdownOf, status, toEnd } from "./editor-setting.ts";
import { copyRelease, writeOtherRelease } from "./other-release.ts";
import { openSite, type Site, started } from "./site.ts";

const built = join(import.meta.dirname, "../dist/client");

describe("two releases of the app, one after the other, in Chromium", () => {
  const folder = mkdtempSync(join(tmpdir(), "kb-releases-"));
  let site: Site;
  let older: Fetch;
  let newer: Fetch;
  let path: string;

  beforeAll(async () => {
    site = await openSite();
    const { world } = site.setting;
    await writeOtherRelease(built, join(folder, "older"));
    await copyRelease(built, join(folder, "newer"));
    await keepPreviousAssets(join(folder, "older"), join(folder, "newer"));
    older = webOf(join(folder, "older"));
    newer = webOf(join(folder, "newer"));
    const input = { collectionId: world.collections.open, title: "Open meanwhile", text: "Text.", publish: true };
    path = `/documents/${(await invoke(world.service, operations.createDocument, world.people.editor.actor, input)).id}`;
  });
  afterAll(async () => {
    await site?.close();
    rmSync(folder, { recursive: true, force: true });
  }, timeout);

  const webOf = (release: string): Fetch =>
    createWeb({
      service: site.setting.world.service,
      logger: createLogger({ app: "web", level: "silent" }),
      lifecycle: createLifecycle(),
      clientIp: clientIp([]),
      limiter: processLimiter(),
      assets: openAssets(release),
    }).fetch;
  /** Opens the document from one release; returns how many pages were loaded from the service since then. */
  const open = async (page: Page, release: Fetch, address = path): Promise<() => number> => {
    let pages = 0;
    site.serveBy(release);
    const stream = page.waitForResponse((response) => response.url().includes("/api/app.events"));
    // The app takes the data that its page brings along out of it: they are read before its script runs.
    await page.addInitScript(() => {
      document.addEventListener("readystatechange", () => {
        const text = document.getElementById("boot")?.textContent;
        if (text) Object.assign(globalThis, { build: JSON.parse(text).build });
      });
    });
    await page.goto(`${site.origin}${address}`);
    await started(page);
    await stream;
    page.on("request", (request) => {
      if (request.isNavigationRequest()) pages += 1;
    });
    return () => pages;
  };
  const visit = async (page: Page, name: string): Promise<void> => {
    await page.getByRole("link", { name, exact: true }).first().click();
    await page.locator("h1", { hasText: name }).waitFor();
    await page.locator("main .rows, main p.quiet").first().waitFor();
  };
  /** Lets the page ask which release the service has: the stream of changes ends and opens again, as at a restart. */
  const restart = async (page: Page): Promise<void> => {
    const asked = page.waitForResponse((response) => response.url().endsWith("/assets/build.json"));
    await page.evaluate(() => dispatchEvent(new Event("pagehide")));
    await page.evaluate(() => dispatchEvent(new Event("pageshow")));
    await (await asked).finished();
  };
  const buildOf = (page: Page): Promise<unknown> => page.evaluate(() => Reflect.get(globalThis, "build"));

  it("an open page finds all of its files in the service of the newer release, and stays", {
    meta: { proves: ["web.releases"] },
    timeout,
  }, async () => {
    await site.withPage(site.setting.world.people.editor, {}, async (page) => {
      const loaded = await open(page, older);
      site.serveBy(newer);
      for (const name of ["Tags", "Drafts", "Archive", "Trash", "Home"]) await visit(page, name);
      await page.keyboard.press("Control+k");
      await page.locator("[role=dialog] input:focus").waitFor();
      expect([loaded(), await buildOf(page)]).toEqual([0, "older"]);
    });
  });

  it("a page that learns of the newer release loads it at the next navigation, once", {
    meta: { proves: ["web.releases"] },
    timeout,
  }, async () => {
    await site.withPage(site.setting.world.people.editor, {}, async (page) => {
      const loaded = await open(page, older);
      site.serveBy(newer);
      await restart(page);
      expect(loaded()).toBe(0);
      await page.getByRole("link", { name: "Tags", exact: true }).first().click();
      await expect.poll(() => buildOf(page).catch(() => "leaving"), { timeout: 20_000 }).not.toMatch(/older|leaving/);
      await started(page);
      await page.locator("h1", { hasText: "Tags" }).waitFor();
      for (const name of ["Drafts", "Trash"]) await visit(page, name);
      expect([loaded(), new URL(page.url()).pathname]).toEqual([1, "/trash"]);
    });
  });

  it("text that is not saved holds the newer release back, and is in it after a reload", {
    meta: { proves: ["web.releases", "web.writing.kept"] },
    timeout: 2 * timeout,
  }, async () => {
    const id = await createDocument(site, "Over a release", "Before.");
    await site.withPage(site.setting.world.people.editor, { expected: [/503/] }, async (page) => {
      page.on("dialog", (dialog) => void dialog.accept());
      const loaded = await open(page, older, `/documents/${id}?edit=true`);
      await editorOf(page).waitFor();
      await toEnd(page);
      site.intercept((requested) =>
        requested.startsWith("/api/live.push")
          ? Response.json({ error: "Down.", code: "unavailable" }, { status: 503 })
          : undefined,
      );
      await page.keyboard.type(" Unsent.");
      await status(page, /^Not saved: .* kept on this device/);
      site.serveBy(newer);
      await restart(page);
      await visit(page, "Tags");
      expect([loaded(), await buildOf(page)]).toEqual([0, "older"]);
      await page.goto(`${site.origin}/documents/${id}?edit=true`);
      await editorOf(page).getByText("Before. Unsent.").waitFor();
      expect(await buildOf(page)).not.toBe("older");
      site.intercept(undefined);
      await expect.poll(() => markdownOf(site, id), { timeout }).toBe("Before. Unsent.\n");
    });
  });

  it("a page of the newer release that comes to the service of the older one loads its page once, and works", {
    meta: { proves: ["web.releases"] },
    timeout,
  }, async () => {
    await site.withPage(site.setting.world.people.editor, { expected: [/404 .*assets/] }, async (page) => {
      const loaded = await open(page, newer);
      site.serveBy(older);
      await visit(page, "Tags");
      expect([loaded(), await buildOf(page)]).toEqual([1, "older"]);
      // Until the app has started, links load pages.
      await started(page);
      await visit(page, "Drafts");
      expect(loaded()).toBe(1);
    });
  });
});
