import { inspect, timeout } from "@kb/testing/chromium";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { ar } from "../src/messages/ar.ts";
import { en } from "../src/messages/en.ts";
import { openScreen, type ScreenCase } from "./screens.ts";
import { openSite, type Site } from "./site.ts";

/** Each of the outer widths, color scheme and direction, and each pair of them, once; and a width between them, of two columns. */
export const shapes = [
  { width: 320, scheme: "light", locale: "en", messages: en },
  { width: 1280, scheme: "dark", locale: "en", messages: en },
  { width: 320, scheme: "dark", locale: "ar", messages: ar },
  { width: 1280, scheme: "light", locale: "ar", messages: ar },
  { width: 800, scheme: "light", locale: "en", messages: en },
] as const;

/** The time limit of a test that walks through all screens. */
export const walkTimeout = 300_000;

/** Looks at every screen of a site. */
export type ScreenWalk = {
  /** Compares the accessibility tree of each screen with its snapshot. */
  readonly compareTrees: () => Promise<void>;
  /** Expects no finding of axe-core on any screen, and that nothing is cut off. */
  readonly inspectAll: (shape: (typeof shapes)[number]) => Promise<void>;
};

/** The reader, an admin by default, and the problems that the screens cause on purpose. */
export type WalkOptions = { readonly as?: "admin" | "outsider"; readonly possible?: readonly RegExp[] };

type Shape = { readonly width: number; readonly scheme?: "light" | "dark"; readonly locale?: "en" | "ar" };

/** Opens a site for the tests of the suite around it, and fills its team; returns the walks through all screens. */
export function walkScreens(
  fill: (site: Site) => Promise<ScreenCase[]>,
  { as = "admin", possible = [] }: WalkOptions = {},
): ScreenWalk {
  let site: Site;
  let screens: ScreenCase[];
  beforeAll(async () => {
    site = await openSite();
    screens = await fill(site);
  }, 180_000);
  afterAll(() => site?.close(), timeout);

  const walk = async (
    { width, scheme = "light", locale = "en" }: Shape,
    shown: readonly ScreenCase[],
    look: (page: Page, screen: ScreenCase) => Promise<void>,
  ): Promise<void> => {
    const options = { viewport: { width, height: 900 }, colorScheme: scheme, possible };
    await site.withPage(site.setting.world.people[as], options, async (page) => {
      await page.context().addCookies([{ name: "kb_locale", value: locale, url: site.origin }]);
      for (const screen of shown) {
        try {
          await openScreen(site, page, screen, locale === "ar" ? ar : en);
          await look(page, screen);
        } finally {
          await screen.leave?.(page);
        }
      }
    });
  };
  return {
    async compareTrees() {
      const narrow = screens.filter(({ isNarrow }) => isNarrow);
      const all = screens.filter(({ isNarrow }) => !isNarrow);
      const compare = async (page: Page, { name }: ScreenCase): Promise<void> =>
        expect(await treeOf(page), name).toMatchFileSnapshot(`screens/${name}.txt`);
      await walk({ width: 1280 }, all, compare);
      if (narrow.length > 0) await walk({ width: 320 }, narrow, compare);
    },
    async inspectAll({ width, scheme, locale }) {
      const shown = screens.filter(({ isNarrow }) => !isNarrow || width === 320);
      await walk({ width, scheme, locale }, shown, (page, { name }) =>
        inspect(page, `${name}-${locale}`, { width, scheme }),
      );
    },
  };
}

/** Returns the accessibility tree of a page, without the parts that differ from one run to the next. */
async function treeOf(page: Page): Promise<string> {
  const tree = await page.locator("body").ariaSnapshot();
  return tree
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, "{id}")
    .replace(/\/files\/[\w-]{32}\//g, "/files/{public}/")
    .replace(/\bhttp:\/\/127\.0\.0\.1:\d+/g, "{origin}")
    .replace(/\b(Team|Other) [0-9a-f]{12}\b/g, "$1 {mark}")
    .replace(/\b([a-z]+)-[0-9a-f]{12}@/g, "$1-{mark}@")
    .replace(/\b(kbc?_)[\w-]{3,6}…[\w-]{4}/g, "$1{secret}")
    .replace(/\b(?:[A-Z2-7]{4} ){7}[A-Z2-7]{4}\b/g, "{key}")
    .replace(/\b[A-Z][a-z]+day, [A-Z][a-z]+ \d{1,2}, \d{4} at \d{1,2}:\d{2}\s[AP]M/g, "{time}")
    .replace(/\b[A-Z][a-z]{2} \d{1,2}, \d{4}\b/g, "{day}")
    .concat("\n");
}
