import { setTimeout as pause } from "node:timers/promises";
import { median } from "../median.ts";
import type { BenchSite } from "./open-bench-site.ts";
import { withPage } from "./page-of-reader.ts";
import { settled, started } from "./started.ts";

const runs = 7;
/** The longest time that the page may take to load the editor before it is asked for. */
const prefetchMs = 2_000;

/**
 * Returns the time from the key E in a document that is read, whose page has loaded the editor meanwhile, to the picture with the caret
 * in the editor, by the clock of the page: the median, in milliseconds.
 */
export async function measureCaret(site: BenchSite, path: string): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run <= runs; run += 1) {
    await withPage(site, async (page) => {
      await page.goto(`${site.origin}${path}`);
      await started(page);
      await settled(page);
      await pause(prefetchMs);
      await page.evaluate(watchForCaret);
      await page.keyboard.press("e");
      await page.waitForFunction(() => Number(Reflect.get(globalThis, "caretMs")) > 0);
      // The first run fills the caches of the service.
      if (run > 0) times.push(await page.evaluate(() => Number(Reflect.get(globalThis, "caretMs"))));
    });
  }
  return median(times);
}

/** Runs in the page: keeps the time from the next key to the first picture in which the editor has the focus. */
function watchForCaret(): void {
  addEventListener(
    "keydown",
    ({ timeStamp }) => {
      const look = (): void => {
        const { activeElement } = document;
        if (activeElement?.matches(".editor[contenteditable=true]") && getSelection()?.anchorNode) {
          // The next picture comes after the one with the caret.
          requestAnimationFrame((drawn) => Reflect.set(globalThis, "caretMs", drawn - timeStamp));
          return;
        }
        requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    },
    { capture: true, once: true },
  );
}
