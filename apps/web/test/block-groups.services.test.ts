import { startChromium, timeout } from "@kb/testing/chromium";
import fc from "fast-check";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Change, faultsAfter } from "./block-groups-page.ts";
import { share } from "./editor-key-scripts.ts";
import { pageScript } from "./editor-page-script.ts";
import { allLaidOut } from "./open-keys-page.ts";

declare const groups: { readonly faultsAfter: typeof faultsAfter };

let browser: Browser;
let page: Page;
beforeAll(async () => {
  browser = await startChromium();
  page = await browser.newPage();
  const { script, style } = await pageScript("block-groups-page.ts", "groups");
  await page.setContent("<!doctype html><html><body></body></html>");
  await page.addStyleTag({ content: `${style} ${allLaidOut}` });
  await page.addScriptTag({ content: script });
});
afterAll(() => browser?.close(), timeout);

const change: fc.Arbitrary<Change> = fc.record({
  kind: fc.constantFrom("add", "add", "remove", "move", "turn", "replace"),
  at: share,
  to: share,
  count: fc.oneof({ weight: 3, arbitrary: fc.integer({ min: 0, max: 3 }) }, fc.integer({ min: 0, max: 300 })),
  tag: fc.constantFrom("p", "p", "h2", "hr", "ul"),
  isEvened: fc.boolean(),
});

it("blocks that are added, removed and moved are drawn once, in their order, in groups of a bounded size", {
  meta: { proves: ["web.editor.keys"] },
  timeout: 4 * timeout,
}, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(change, { minLength: 1, maxLength: 12 }),
      fc.integer({ min: 0, max: 400 }),
      async (changes, length) => {
        const faults = await page.evaluate((given) => groups.faultsAfter(...given), [changes, length] as const);
        expect(faults).toEqual([]);
      },
    ),
    { numRuns: 150 },
  );
});
