import { isDeepStrictEqual } from "node:util";
import { inspect, timeout } from "@kb/testing/chromium";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { ar } from "../src/messages/ar.ts";
import { en } from "../src/messages/en.ts";
import type { Messages } from "../src/messages/index.ts";
import { openScreen, type ScreenCase } from "./screens.ts";
import { openSite, type Site } from "./site.ts";

type Shape = { readonly width: number; readonly scheme: "light" | "dark" };

/**
 * The languages, and the shapes that each screen takes in them, one after the other without being opened again: each of the outer widths,
 * color schemes and directions, and each pair of them, once; and a width between them, of two columns.
 */
export const languages = [
  {
    locale: "en",
    messages: en,
    shapes: [
      { width: 1280, scheme: "dark" },
      { width: 800, scheme: "light" },
      { width: 320, scheme: "light" },
    ],
  },
  {
    locale: "ar",
    messages: ar,
    shapes: [
      { width: 320, scheme: "dark" },
      { width: 1280, scheme: "light" },
    ],
  },
] as const satisfies readonly { locale: string; messages: Messages; shapes: readonly Shape[] }[];

type Language = (typeof languages)[number];

/** The time limit of a test that walks through all screens. */
export const walkTimeout = 600_000;

/** The reader, an admin by default, and the problems that the screens cause on purpose. */
export type WalkOptions = { readonly as?: "admin" | "outsider"; readonly possible?: readonly RegExp[] };

/**
 * Opens a site for the tests of the suite around it, and fills its team. Returns the walk through all screens in a language, which expects
 * that no finding of axe-core is on any screen and nothing is cut off in any shape, and compares the trees in English with their snapshots.
 */
export function walkScreens(
  fill: (site: Site) => Promise<ScreenCase[]>,
  { as = "admin", possible = [] }: WalkOptions = {},
): (language: Language) => Promise<void> {
  let site: Site;
  let screens: ScreenCase[];
  beforeAll(async () => {
    site = await openSite();
    screens = await fill(site);
  }, 180_000);
  afterAll(() => site?.close(), timeout);

  const lookAt = async (page: Page, screen: ScreenCase, { locale, messages, shapes }: Language): Promise<void> => {
    const shown = shapes.filter(({ width }) => !screen.isNarrow || width === 320);
    const open = (): Promise<void> => openScreen(site, page, screen, messages);
    try {
      for (const [index, shape] of shown.entries()) {
        if (index > 0) await reshape(page, shape, { screen, open });
        else {
          await take(page, shape);
          await open();
          // The tree renders the rows in sight with the first picture.
          await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
          if (locale === "en")
            await expect(await treeOf(page), screen.name).toMatchFileSnapshot(`screens/${screen.name}.txt`);
        }
        await inspect(page, `${screen.name}-${locale}`, shape);
      }
    } finally {
      await screen.leave?.(page);
    }
  };
  return async (language) => {
    // What a wide page keeps open would show in the navigation of the narrow ones.
    for (const some of [screens.filter(({ isNarrow }) => !isNarrow), screens.filter(({ isNarrow }) => isNarrow)]) {
      if (some.length === 0) continue;
      await site.withPage(site.setting.world.people[as], { possible }, async (page) => {
        await page.context().addCookies([{ name: "kb_locale", value: language.locale, url: site.origin }]);
        for (const screen of some) await lookAt(page, screen, language);
      });
    }
  };
}

async function take(page: Page, { width, scheme }: Shape): Promise<void> {
  await page.setViewportSize({ width, height: 900 });
  await page.emulateMedia({ colorScheme: scheme });
}

/** Changes the shape of an open screen. Opens the screen anew if that closed a layer that it is about, or opened one. */
async function reshape(
  page: Page,
  shape: Shape,
  { screen, open }: { readonly screen: ScreenCase; readonly open: () => Promise<void> },
): Promise<void> {
  const layers = (): Promise<string[]> =>
    page
      .locator("[role=dialog], dialog[open], [role=menu], [role=listbox]")
      .evaluateAll((found) => found.map(({ id }) => id));
  const before = await layers();
  await take(page, shape);
  await page.evaluate(async () => {
    await new Promise(requestAnimationFrame);
    await Promise.allSettled(document.getAnimations().map(({ finished }) => finished));
  });
  if (isDeepStrictEqual(await layers(), before)) return;
  await screen.leave?.(page);
  await open();
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
    .replace(/\b[A-Z][a-z]{2} \d{1,2}, \d{4}(, \d{1,2}:\d{2}\s[AP]M)?\b/g, (_, time) => (time ? "{minute}" : "{day}"))
    .replace(/\b\d{1,2}:\d{2}\s[AP]M\b/g, "{time of day}")
    .concat("\n");
}
