import { timeout } from "@kb/testing/chromium";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { en } from "../src/messages/en.ts";
import { stopOf, tabTo, walkByTab } from "./keyboard.ts";
import { walkTimeout } from "./screen-walk.ts";
import { fillScreens, openScreen, type ScreenCase } from "./screens.ts";
import { fillSettings } from "./settings-screens.ts";
import { menuEntries, openSite, type Site, started } from "./site.ts";

const desk = { viewport: { width: 1280, height: 900 } };
const phone = { viewport: { width: 320, height: 640 } };

describe("the focus, moved by keys only, in Chromium", () => {
  let site: Site;
  let screens: ScreenCase[];
  let settings: ScreenCase[];
  let path: string;
  beforeAll(async () => {
    site = await openSite();
    screens = await fillScreens(site);
    settings = await fillSettings(site);
    path = screens.find(({ name }) => name === "document")?.path ?? "";
  });
  afterAll(() => site?.close(), timeout);

  /** Walks through those screens that are a page of their own. */
  const walk = (all: readonly ScreenCase[], shape: typeof desk) =>
    site.withPage(site.setting.world.people.admin, shape, async (page) => {
      for (const screen of all) {
        await openScreen(site, page, screen, en);
        if ((await page.locator("[role=dialog], dialog[open], [role=menu]").count()) > 0) continue;
        expect(await walkByTab(page), screen.name).toEqual([]);
      }
    });

  it(
    "Tab reaches every control of every screen, each visibly, and comes to an end",
    {
      meta: { proves: ["web.keyboard.focus"] },
      timeout: walkTimeout,
    },
    () => walk(screens, desk),
  );

  it(
    "Tab reaches every control of every screen 320 pixels wide",
    {
      meta: { proves: ["web.keyboard.focus"] },
      timeout: walkTimeout,
    },
    () => walk(screens, phone),
  );

  it(
    "Tab reaches every control of every page of the settings",
    {
      meta: { proves: ["web.keyboard.focus"] },
      timeout: walkTimeout,
    },
    () => walk(settings, desk),
  );

  it("Tab stays in an open layer, Escape closes it, and the focus returns to where it was opened", {
    meta: { proves: ["web.keyboard.focus"] },
    timeout: walkTimeout,
  }, async () => {
    await site.withPage(site.setting.world.people.admin, desk, async (page) => {
      await page.goto(`${site.origin}${path}`);
      await started(page);
      await page.locator("h1").focus();
      for (const name of ["Rename", "Change emoji", "Edit tags", "Move"]) {
        await tabTo(page, /^Actions$/);
        await page.keyboard.press("Enter");
        await menuEntries(page);
        await page.keyboard.type(name);
        await page.locator("[role=menuitem]:focus", { hasText: name }).waitFor();
        await page.keyboard.press("Enter");
        await page.getByRole("menu", { name: /^Actions/ }).waitFor({ state: "detached" });
        await closeLayer(page, name);
        await focused(page, "Actions", name);
      }
    });
  });
});

const layers = "[role=dialog], dialog[open]";

/** Goes through the stops of the open layer, closes it by Escape, and waits until it is gone. */
async function closeLayer(page: Page, what: string): Promise<void> {
  const layer = page.locator(layers);
  await page.locator(`:is(${layers}) :focus`).waitFor();
  for (let presses = 0; presses < 12; presses += 1) {
    await page.keyboard.press("Tab");
    const isInside = await page.evaluate(
      (selector) => document.activeElement?.closest(selector) !== null || document.activeElement === document.body,
      layers,
    );
    expect(isInside, `${what}: Tab leaves the layer`).toBe(true);
    expect((await stopOf(page)).problems, what).toEqual([]);
  }
  await page.keyboard.press("Escape");
  // The first Escape may clear a field.
  if ((await layer.count()) > 0) await page.keyboard.press("Escape");
  await layer.waitFor({ state: "detached" });
}

/** Waits until the focus is on the control with this name. */
async function focused(page: Page, name: string, after: string): Promise<void> {
  await expect
    .poll(async () => (await stopOf(page)).name, { message: `the focus after ${after}`, timeout: 10_000 })
    .toBe(name);
}
