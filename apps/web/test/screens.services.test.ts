import { inspect, timeout } from "@kb/testing/chromium";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ar } from "../src/messages/ar.ts";
import { en } from "../src/messages/en.ts";
import { fillScreens, openScreen, type ScreenCase } from "./screens.ts";
import { openSite, type Site } from "./site.ts";

/** Each width, color scheme and direction, and each pair of them, once. */
const shapes = [
  { width: 320, scheme: "light", locale: "en", messages: en },
  { width: 1280, scheme: "dark", locale: "en", messages: en },
  { width: 320, scheme: "dark", locale: "ar", messages: ar },
  { width: 1280, scheme: "light", locale: "ar", messages: ar },
] as const;

describe("every screen in Chromium", () => {
  let site: Site;
  let screens: ScreenCase[];
  beforeAll(async () => {
    site = await openSite();
    screens = await fillScreens(site);
  }, 180_000);
  afterAll(() => site?.close(), timeout);

  it("has the accessibility tree of its snapshot", {
    meta: { proves: ["web.page.accessible"] },
    timeout: 300_000,
  }, async () => {
    await site.withPage(site.setting.world.people.admin, { viewport: { width: 1280, height: 900 } }, async (page) => {
      for (const screen of screens) {
        await openScreen(site, page, screen, en);
        await expect(await treeOf(page), screen.name).toMatchFileSnapshot(`screens/${screen.name}.txt`);
      }
    });
  });

  it.each(shapes)(
    "passes axe-core and is cut off nowhere at $width pixels, $scheme, $locale",
    {
      meta: { proves: ["web.page.accessible", "web.page.policy"] },
      timeout: 300_000,
    },
    async ({ width, scheme, locale, messages }) => {
      const viewport = { width, height: 900 };
      await site.withPage(site.setting.world.people.admin, { viewport, colorScheme: scheme }, async (page) => {
        await page.context().addCookies([{ name: "kb_locale", value: locale, url: site.origin }]);
        for (const screen of screens) {
          await openScreen(site, page, screen, messages);
          await inspect(page, `${screen.name}-${locale}`, { width, scheme });
        }
      });
    },
  );
});

/** Returns the accessibility tree of a page, without the parts that differ from one run to the next. */
async function treeOf(page: Page): Promise<string> {
  const tree = await page.locator("body").ariaSnapshot();
  return tree
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, "{id}")
    .replace(/\/files\/[\w-]{32}\//g, "/files/{public}/")
    .replace(/\bhttp:\/\/127\.0\.0\.1:\d+/g, "{origin}")
    .replace(/\bTeam [0-9a-f]{12}\b/g, "Team {mark}")
    .replace(/\b[A-Z][a-z]{2} \d{1,2}, \d{4}\b/g, "{day}")
    .concat("\n");
}
