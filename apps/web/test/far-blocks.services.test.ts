import { callerOf } from "@kb/core/testing";
import { timeout } from "@kb/testing/chromium";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { layoutShifts, recordShifts } from "./layout-shifts.ts";
import { settled, started } from "./site.ts";
import { siteOfSuite } from "./site-of-suite.ts";

const site = await siteOfSuite();
const { world } = site.setting;
const { viewer } = world.people;
const parts = Array.from({ length: 120 }, (_, index) => {
  const words = `The words of part ${index} go on. `.repeat(1 + (index % 12));
  return `## Part ${index}\n\n${words}\n\n- one\n- two\n\n> ${words}`;
});
const long = { title: "Long", text: parts.join("\n\n"), publish: true, collectionId: world.collections.open };
const address = `${site.origin}/documents/${(await callerOf(world, world.people.editor).create(long)).id}`;

const laidOut = (page: Page): Promise<void> => page.locator("article:not([data-far], :has(> [data-far]))").waitFor();
const heightOf = (page: Page): Promise<number> => page.locator("article").evaluate((article) => article.scrollHeight);

describe("the blocks far below the top of a long document", () => {
  it("are laid out in steps after the start, without a trace in the page, and nothing moves", { timeout }, async () => {
    const whole = { javaScriptEnabled: false };
    let height = 0;
    await site.withPage(viewer, whole, async (page) => {
      await page.goto(address);
      height = await heightOf(page);
    });
    await site.withPage(viewer, {}, async (page) => {
      await recordShifts(page);
      await page.goto(address);
      await started(page);
      await laidOut(page);
      expect(Math.abs((await heightOf(page)) - height)).toBeLessThan(2);
      expect(await layoutShifts(page)).toEqual([]);
    });
  });

  it("are all laid out at once for a link to a heading among them, and where a page was left", {
    timeout,
  }, async () => {
    await site.withPage(viewer, {}, async (page) => {
      const topOf = (name: string): Promise<number> =>
        page.getByRole("heading", { name, exact: true }).evaluate((heading) => heading.getBoundingClientRect().top);
      await page.goto(`${address}#part-100`);
      await started(page);
      await laidOut(page);
      await settled(page);
      expect(await topOf("Part 100")).toBeGreaterThan(0);
      expect(await topOf("Part 100")).toBeLessThan(200);
      await page.evaluate(() => scrollBy(0, -4_000));
      const before = await topOf("Part 100");
      await page.reload();
      await started(page);
      await laidOut(page);
      await settled(page);
      expect(Math.abs((await topOf("Part 100")) - before)).toBeLessThan(2);
    });
  });
});
