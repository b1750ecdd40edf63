import { fillCollection } from "@kb/core/testing";
import type { Page } from "playwright-core";
import { openBareTree } from "./bare-tree.ts";
import { drawn, watchMainThread } from "./main-thread.ts";
import type { BenchSite } from "./open-bench-site.ts";
import { withPage } from "./page-of-reader.ts";
import { settled, started } from "./started.ts";

const rows = 10_000;
const steps = 40;

/** Processor time of a scroll by a screen, and of a move of the selection by a row while the key is held down. */
type StepFigures = { readonly scrollMs: number; readonly selectMs: number };

/** Figures of the tree with 10,000 loaded documents: rows in the page, and steps beside those of a bare tree. */
export type TreeFigures = StepFigures & { readonly mostRows: number; readonly floor: StepFigures };

/** Loads 10,000 documents into the sidebar's tree, scrolls it by screens, and moves through it by the arrow keys. */
export async function measureTree(site: BenchSite): Promise<TreeFigures> {
  await fillCollection(site, site.collectionId, rows);
  return withPage(site, async (page) => {
    await page.goto(`${site.origin}/`);
    await started(page);
    await page.getByRole("treeitem", { name: "Documents" }).first().focus();
    await page.keyboard.press("ArrowRight");
    const area = page.locator("[data-scroll-area]");
    const items = page.getByRole("treeitem");
    let mostRows = 0;
    while ((await items.filter({ hasText: `Page ${rows}` }).count()) === 0) {
      await area.evaluate((element) => element.scrollTo(0, element.scrollHeight));
      await settled(page);
      mostRows = Math.max(mostRows, await items.count());
    }
    const areaHeight = await area.evaluate(({ clientHeight }) => clientHeight);
    const rowHeight = await items.last().evaluate(({ clientHeight }) => clientHeight);
    const app = await measureSteps(page);
    mostRows = Math.max(mostRows, await items.count());
    return { mostRows, ...app, floor: await measureFloor(site, { areaHeight, rowHeight }) };
  });
}

const measureFloor = (site: BenchSite, size: { areaHeight: number; rowHeight: number }): Promise<StepFigures> =>
  withPage(site, async (page) => {
    await openBareTree(page, { rows, ...size });
    return measureSteps(page);
  });

/** Does the same steps in a tree of the app or a bare one. */
async function measureSteps(page: Page): Promise<StepFigures> {
  const thread = await watchMainThread(page);
  const area = page.locator("[data-scroll-area]");
  const scrollTo = (top: number) => area.evaluate((element, to) => element.scrollTo(0, to), top);
  // Warms the tree up: the app has scrolled through all rows to load them.
  await scrollTo(200_000);
  await scrollByScreens(page);
  await scrollTo(100_000);
  await drawn(page);
  const scrollMs = await thread.during(() => scrollByScreens(page));
  await scrollTo(0);
  await drawn(page);
  await page.getByRole("treeitem").first().focus();
  for (let key = 0; key < 5; key += 1) await page.keyboard.press("ArrowDown");
  await drawn(page);
  const before = await focusedRow(page);
  const selectMs = await thread.during(async () => {
    for (let key = 0; key < steps; key += 1) await page.keyboard.press("ArrowDown");
    await drawn(page);
  });
  // Keys that move nothing cost nothing.
  if ((await focusedRow(page)) !== before + steps) throw new Error("The selection did not move by each key");
  return { scrollMs: scrollMs / steps, selectMs: selectMs / steps };
}

/** Returns the place of the focused row among those of its level. */
const focusedRow = (page: Page): Promise<number> =>
  page.evaluate(() => Number(document.activeElement?.getAttribute("aria-posinset")));

/** Scrolls within the page: a call from here for each step would count as the page's work. */
function scrollByScreens(page: Page): Promise<void> {
  return page.locator("[data-scroll-area]").evaluate(async (element, count) => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    for (let step = 0; step < count; step += 1) {
      element.scrollBy(0, element.clientHeight);
      await frame();
      await frame();
    }
  }, steps);
}
