import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { timeout } from "@kb/testing/chromium";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { en } from "../src/messages/en.ts";
import { tabTo, walkByTab } from "./keyboard.ts";
import { walkTimeout } from "./screen-walk.ts";
import { fillScreens, openScreen, type ScreenCase } from "./screens.ts";
import { fillSettings } from "./settings-screens.ts";
import { openSite, type Site, started } from "./site.ts";

const viewport = { width: 1280, height: 900 };

/** The elements of a screen that do not follow a preference: `cut` those that hide a part of larger text. */
type Findings = {
  readonly screen: string;
  readonly borderless: string[];
  readonly moving: string[];
  readonly cut: string[];
};

const large = "html { font-size: 200% !important }";
const spaced =
  "* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }" +
  "p { margin-block-end: 2em !important }";

/** The folder for pictures of the pages; none are taken without it. */
const pictures = process.env.KB_TEST_PICTURES;

describe("what a reader's system asks for, in Chromium", () => {
  let site: Site;
  let screens: ScreenCase[];
  beforeAll(async () => {
    site = await openSite();
    screens = [...(await fillScreens(site)), ...(await fillSettings(site))];
  });
  afterAll(() => site?.close(), timeout);

  const screenOf = (name: string): ScreenCase => {
    const screen = screens.find((each) => each.name === name);
    if (screen === undefined) throw new Error(`No screen is called ${name}`);
    return screen;
  };
  let findings: Promise<readonly Findings[]> | undefined;
  /** Looks at every screen in all ways, once for all tests: opening them takes most of the time. */
  const walk = (): Promise<readonly Findings[]> => {
    findings ??= walkScreens(site, screens);
    return findings;
  };
  const withForcedColors = (use: (page: Page) => Promise<void>): Promise<void> =>
    site.withPage(site.setting.world.people.admin, { viewport, forcedColors: "active" }, use);

  it("with forced colors each control, field and layer of every screen has a border, and each icon is drawn", {
    meta: { proves: ["web.look.preferences"] },
    timeout: walkTimeout,
  }, async () => {
    for (const { screen, borderless } of await walk()) expect(borderless, screen).toEqual([]);
  });

  it("with forced colors the focus is visible on every stop, and differs from the mark of the current page", {
    meta: { proves: ["web.look.preferences"] },
    timeout: walkTimeout,
  }, async () => {
    await withForcedColors(async (page) => {
      for (const name of ["document", "search-filtered", "trash", "settings-keys", "settings-key-edit"]) {
        await openScreen(site, page, screenOf(name), en);
        expect(await walkByTab(page), name).toEqual([]);
      }
      await page.goto(`${site.origin}/drafts`);
      await started(page);
      const current = page.locator('.sidebar [aria-current="page"]');
      const outline = (): Promise<string> => current.evaluate((element) => getComputedStyle(element).outlineWidth);
      expect(await outline()).toBe("2px");
      await tabTo(page, /^Drafts$/);
      expect(await outline()).toBe("3px");
    });
  });

  it("with forced colors the entry of a menu, the row of the tree and the words that were found stand out", {
    meta: { proves: ["web.look.preferences"] },
    timeout: 2 * timeout,
  }, async () => {
    await withForcedColors(async (page) => {
      await openScreen(site, page, screenOf("actions"), en);
      expect(await outlineOf(page, "[role=menuitem][data-focused]")).toBe("solid 2px");
      await openScreen(site, page, screenOf("quick-open"), en);
      expect(await outlineOf(page, "[role=menuitem][data-focused]")).toBe("solid 2px");
      await openScreen(site, page, screenOf("document"), en);
      expect(await outlineOf(page, "[role=treeitem][aria-current=page]")).toBe("solid 2px");
      // A colored range would look as if somebody had selected it.
      expect(await page.evaluate(() => CSS.highlights.size)).toBe(0);
      await page.goto(`${site.origin}/search?query=somebody`);
      const mark = page.locator("main mark").first();
      await mark.waitFor();
      const [marked, canvas] = await mark.evaluate((element) => [
        getComputedStyle(element).backgroundColor,
        getComputedStyle(document.body).backgroundColor,
      ]);
      expect(marked).not.toBe(canvas);
    });
  });

  it("with text twice as large, and with the spacing of WCAG 1.4.12, no text on any screen is cut off below, and no page is wider than its window", {
    meta: { proves: ["web.look.preferences"] },
    timeout: walkTimeout,
  }, async () => {
    const found = (await walk()).flatMap(({ screen, cut }) => cut.map((text) => `${screen}: ${text}`));
    expect(found).toEqual([]);
    await site.withPage(site.setting.world.people.admin, { viewport }, async (page) => {
      await openScreen(site, page, screenOf("home"), en);
      expect(await cutText(page, "h1 { max-block-size: 1rem; overflow: hidden }")).toHaveLength(1);
    });
  });

  it("with reduced motion nothing on any screen moves for longer than 1 ms, whatever a style asks for", {
    meta: { proves: ["web.look.preferences"] },
    timeout: walkTimeout,
  }, async () => {
    for (const { screen, moving } of await walk()) expect(moving, screen).toEqual([]);
    const options = { viewport, reducedMotion: "reduce" as const };
    await site.withPage(site.setting.world.people.admin, options, async (page) => {
      await openScreen(site, page, screenOf("home"), en);
      await page.evaluate(() => {
        const rule = "@layer screens { main { transition: opacity 3s; animation: 3s infinite turn; } }";
        [...document.styleSheets].at(0)?.insertRule(rule, 0);
      });
      expect(await page.locator("main").evaluate((main) => getComputedStyle(main).transitionProperty)).toBe("opacity");
      expect(await movements(page)).toEqual([]);
    });
  });
});

/** Opens each screen with reduced motion, has the browser force its colors, and enlarges its text without either. */
async function walkScreens(site: Site, screens: readonly ScreenCase[]): Promise<readonly Findings[]> {
  const found: Findings[] = [];
  await site.withPage(site.setting.world.people.admin, { viewport }, async (page) => {
    for (const screen of screens) {
      await page.emulateMedia({ reducedMotion: "reduce", forcedColors: "none" });
      await openScreen(site, page, screen, en);
      const moving = await movements(page);
      await page.emulateMedia({ forcedColors: "active" });
      const withoutBorder = await borderless(page);
      await takePicture(page, screen.name);
      await page.emulateMedia({ reducedMotion: "no-preference", forcedColors: "none" });
      const cut = [...(await cutText(page, large)), ...(await cutText(page, spaced))];
      found.push({ screen: screen.name, moving, borderless: withoutBorder, cut });
    }
  });
  return found;
}

const outlineOf = (page: Page, selector: string): Promise<string> =>
  page
    .locator(selector)
    .first()
    .evaluate((element) => {
      const { outlineStyle, outlineWidth } = getComputedStyle(element);
      return `${outlineStyle} ${outlineWidth}`;
    });

async function takePicture(page: Page, name: string): Promise<void> {
  if (pictures === undefined) return;
  await mkdir(pictures, { recursive: true });
  await page.screenshot({ path: join(pictures, `${name}-forced-colors.png`) });
}

/** Returns the controls and layers without a border of their own, and the icons that have the color of what is behind them. */
const borderless = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const hasEdge = (element: Element): boolean => {
      const { borderStyle, borderWidth, outlineStyle, boxShadow } = getComputedStyle(element);
      const isDrawn = borderStyle.split(" ").some((style) => !["none", "hidden"].includes(style));
      return (isDrawn && /[1-9]/.test(borderWidth)) || outlineStyle !== "none" || boxShadow !== "none";
    };
    const fields = "input:not([type=hidden], [type=checkbox], [type=radio]), select, textarea:not([aria-label=Title])";
    const layers = ".button, dialog[open], [role=dialog], .tag, [role=menu]:not([role=dialog] *), .notice";
    const shown = (selector: string): Element[] =>
      [...document.querySelectorAll(selector)].filter((element) =>
        element.checkVisibility({ visibilityProperty: true, opacityProperty: true }),
      );
    const missing = shown(`main :is(${fields}), ${layers}`).filter(
      (element) => !hasEdge(element) && (element.parentElement === null || !hasEdge(element.parentElement)),
    );
    const canvas = getComputedStyle(document.body).backgroundColor;
    const blank = shown("svg.icon").filter((icon) => {
      const { stroke, fill } = getComputedStyle(icon);
      return stroke === canvas && (fill === canvas || fill === "none") && icon.closest(".button.primary") === null;
    });
    return [...missing, ...blank].map((element) => element.outerHTML.slice(0, 200));
  });

/** Returns the elements whose text a further style makes higher than they are, or the page wider than the window. */
const cutText = (page: Page, style: string): Promise<string[]> =>
  page.evaluate(async (rules) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(rules);
    document.adoptedStyleSheets = [sheet];
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    const { scrollWidth, clientWidth } = document.documentElement;
    const cut = scrollWidth > clientWidth ? [`the page is ${scrollWidth} pixels wide`] : [];
    // Except text for screen readers only, decoration, and formulas, whose letters may reach beyond them.
    const passedOver = ".visually-hidden, .skip-links, [aria-hidden=true], .math, svg";
    for (const element of document.querySelectorAll("body *:not(input, textarea, select)")) {
      if (element.closest(passedOver) !== null || !element.checkVisibility({ visibilityProperty: true })) continue;
      const { overflowY } = getComputedStyle(element);
      const isCut = ["hidden", "clip"].includes(overflowY) && element.scrollHeight > element.clientHeight + 2;
      if (isCut && element.clientHeight > 1) cut.push(element.outerHTML.slice(0, 200));
    }
    document.adoptedStyleSheets = [];
    return cut;
  }, style);

/** Returns what takes longer than a millisecond to move, among all elements. */
const movements = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const seconds = (durations: string): number =>
      Math.max(
        ...durations.split(",").map((each) => Number.parseFloat(each) * (each.trim().endsWith("ms") ? 0.001 : 1)),
      );
    const found: string[] = [];
    for (const element of document.querySelectorAll("*")) {
      for (const part of [null, "::before", "::after"]) {
        const { transitionDuration, animationDuration, animationName, scrollBehavior } = getComputedStyle(
          element,
          part,
        );
        const moves =
          seconds(transitionDuration) > 0.001 || (animationName !== "none" && seconds(animationDuration) > 0.001);
        if (moves || scrollBehavior === "smooth") found.push(`${element.outerHTML.slice(0, 120)} ${part ?? ""}`);
      }
    }
    const running = document
      .getAnimations()
      .filter((each) => Number(each.effect?.getComputedTiming().activeDuration) > 1);
    return [...found, ...running.map(({ id }) => `a running animation ${id}`)];
  });
