import { serve } from "@kb/http";
import { createLifecycle } from "@kb/runtime";
import { inspect, shapes, startChromium, timeout } from "@kb/testing/chromium";
import { withWatchedContext } from "@kb/testing/page-problems";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSetting, type Setting } from "./setting.ts";

describe("the documentation in a browser", { timeout }, () => {
  let setting: Setting;
  let server: Awaited<ReturnType<typeof serve>>;
  let browser: Browser;
  let address: string;
  beforeAll(async () => {
    setting = await openSetting();
    const lifecycle = createLifecycle();
    server = await serve({ fetch: setting.app.fetch, hostname: "127.0.0.1", port: 0, lifecycle, drainMs: 1_000 });
    address = `http://localhost:${server.port}/docs`;
    browser = await startChromium();
  }, timeout);
  afterAll(async () => {
    await browser?.close();
    await server?.close();
    await setting?.close();
  });

  const current = (page: Page) => page.locator("nav [aria-current=location]");

  it("has a search that shows the operations with all words, and opens the first by Enter", async () => {
    await withWatchedContext(browser, {}, async (context) => {
      const page = await context.newPage();
      await page.goto(address);
      await page.keyboard.press("/");
      await page.keyboard.type("create webhook");
      await expect.poll(() => page.getByRole("status").textContent()).toBe("1 match");
      await expect
        .poll(() => page.locator("nav li:visible").allTextContents())
        .toEqual(["Subscribe an address to events"]);
      await page.keyboard.press("Enter");
      await expect.poll(() => page.url()).toContain("#webhooks.create");
      await expect.poll(() => current(page).textContent()).toBe("Subscribe an address to events");
      await page.getByRole("searchbox").press("Escape");
      await expect.poll(() => page.locator("nav li:visible").count()).toBeGreaterThan(100);
    });
  });

  it("marks the current place while the page is scrolled", async () => {
    await withWatchedContext(browser, {}, async (context) => {
      const page = await context.newPage();
      await page.goto(`${address}#errors`);
      await expect.poll(() => current(page).textContent()).toBe("Errors");
      await page.evaluate("document.getElementById('tags.update').scrollIntoView()");
      await expect.poll(() => current(page).textContent()).toBe("Update a tag's name or color");
      expect(await current(page).count()).toBe(1);
    });
  });

  it("copies a command as it stands", async () => {
    await withWatchedContext(browser, { permissions: ["clipboard-read", "clipboard-write"] }, async (context) => {
      const page = await context.newPage();
      await page.goto(address);
      const section = page.locator("[id='me.get']");
      await section.getByRole("button", { name: "Copy" }).last().click();
      await section.getByRole("button", { name: "Copied" }).waitFor();
      const shown = await section.locator("pre code").last().textContent();
      expect(await page.evaluate<string>("navigator.clipboard.readText()")).toBe(shown);
    });
  });

  it("without script it is the same page, with neither search nor buttons", async () => {
    await withWatchedContext(browser, { javaScriptEnabled: false }, async (context) => {
      const page = await context.newPage();
      await page.goto(address);
      expect(await page.getByRole("heading", { name: "Create a document" }).count()).toBe(1);
      expect([await page.getByRole("searchbox").count(), await page.getByRole("button").count()]).toEqual([0, 0]);
    });
  });

  it("has no finding of axe, and nothing is cut off, narrow and wide, light and dark", {
    timeout: 2 * timeout,
  }, async () => {
    await withWatchedContext(browser, {}, async (context) => {
      const page = await context.newPage();
      await page.goto(address);
      for (const shape of shapes) {
        await page.setViewportSize({ width: shape.width, height: 800 });
        await page.emulateMedia({ colorScheme: shape.scheme });
        await inspect(page, "docs", shape);
      }
    });
  });
});
