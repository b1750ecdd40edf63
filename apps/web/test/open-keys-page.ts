import { startChromium } from "@kb/testing/chromium";
import type { CDPSession, Page } from "playwright-core";
import { pageScript } from "./editor-page-script.ts";

/** A page of the editor alone, whose text `editor-keys-page.ts` opens as `writing`. */
export type KeysPage = {
  readonly page: Page;
  readonly devtools: CDPSession;
  /** Uncaught errors of the page; a test that has reported them takes them out. */
  readonly errors: Error[];
  /** Ends the browser. @throws {AggregateError} of `errors`, unless there are none */
  readonly close: () => Promise<void>;
};

/** A style that lays out all of a text as what is in sight, while `body` has `data-all`. */
export const allLaidOut = "[data-all] .editor::part(far) { content-visibility: visible; contain: layout style paint; }";

/** Opens the page in a browser of its own, which `close` ends. `moreStyle` follows the style of the app. */
export async function openKeysPage(moreStyle = ""): Promise<KeysPage> {
  const { script, style } = await pageScript("editor-keys-page.ts", "writing");
  const browser = await startChromium();
  const page = await browser.newPage();
  const errors: Error[] = [];
  page.on("pageerror", (error) => errors.push(error));
  const devtools = await page.context().newCDPSession(page);
  await page.addScriptTag({ content: script });
  await page.addStyleTag({ content: `${style} ${allLaidOut} ${moreStyle}` });
  const close = async (): Promise<void> => {
    await browser.close();
    if (errors.length > 0) throw new AggregateError(errors, errors.map(({ stack }) => stack).join("\n"));
  };
  return { page, devtools, errors, close };
}

/** Markdown of several kinds of blocks, which a test repeats for a long document. */
export const partOfText =
  "## Heading\n\nWords of a paragraph.\n\n- one\n- two\n\n```ts\nconst a = 1;\n```\n\n| a | b |\n|---|---|\n| c | d |\n";

/** The same, from right to left, but for the code. */
export const partOfArabicText =
  "## عنوان\n\nكلمات في فقرة مع kb 2 داخلها.\n\n- واحد\n- اثنان\n\n```ts\nconst a = 1;\n```\n\n| أ | ب |\n|---|---|\n| ج | د |\n";
