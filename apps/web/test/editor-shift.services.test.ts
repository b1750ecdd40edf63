import { realDocuments } from "@kb/core/testing";
import { formulasOfPage } from "@kb/formulas";
import { startChromium, timeout } from "@kb/testing/chromium";
import { parseMarkdown, toReadingHtml } from "markdown-codec";
import { cases } from "markdown-codec/testing";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { withCalloutKinds } from "../src/client/reading/callout-kinds.ts";
import { pageScript } from "./editor-page-script.ts";
import { caretRead } from "./editor-setting.ts";
import type { beginToWrite, selectIn, shiftsOf, wordsOf } from "./editor-shift-page.ts";
import { allLaidOut } from "./open-keys-page.ts";

declare const shift: {
  readonly beginToWrite: typeof beginToWrite;
  readonly selectIn: typeof selectIn;
  readonly shiftsOf: typeof shiftsOf;
  readonly wordsOf: typeof wordsOf;
};

/** Everything that has a side: markers, boxes, borders and columns, in text of both directions. */
const sided: readonly (readonly [string, string])[] = [
  ["lists of Arabic", "- واحد\n- اثنان\n  1. ثلاثة\n  2. أربعة\n\n1. خمسة\n2. ستة\n"],
  ["lists of Hebrew in English text", "Text\n\n- אחת\n\n  המשך\n- שתיים\n\n1. שלוש\n"],
  ["English lists in Arabic text", "نص\n\n- one\n- two\n\n> English quote\n"],
  ["tasks", "- [ ] مهمة\n- [x] מטלה\n  - [ ] داخل\n\nText\n\n- [ ] task\n"],
  ["quotes", "> اقتباس\n>\n> - عنصر\n> - ثان\n\n> ציטוט\n>\n> > English inside\n>\n> # כותרת\n"],
  ["tables", "| واحد | اثنان |\n| --- | --: |\n| أ | ب |\n\n| one | שתיים |\n| --- | --- |\n| a | ב |\n"],
  ["callouts", "> [!note] عنوان\n> نص طويل\n\n> [!tip]\n> טקסט\n> - פריט\n\n> [!note] Title\n> نص\n"],
  [
    "folded text",
    "> [!note]+ عنوان\n> نص\n> - عنصر\n\n<details open>\n<summary>סיכום</summary>\n\nטקסט\n\n- פריט\n\nText\n\n</details>\n",
  ],
  ["notes", "نص[^a]\n\nטקסט[^1]\n\n[^a]: ملاحظة\n[^1]: הערה\n"],
  [
    "code in a list, and lists that begin with numbers",
    "- مثال\n\n  ```\n  x = 1\n  ```\n\n- 1.5 מספר\n\n- 12\n- שלוש\n",
  ],
  ["lists of mixed text", "- English first\n- ثم عربي\n\n- عربي أولا\n- then English\n  - nested English\n"],
];

/** Returns a document as its page shows it. */
const readingHtml = (doc: ReturnType<typeof parseMarkdown>): string =>
  withCalloutKinds(toReadingHtml(doc, { math: formulasOfPage() }), "en");

const count = Number(process.env.KB_SHIFT_DOCUMENTS ?? 200);

describe("the layout of the editor", () => {
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    browser = await startChromium();
    page = await browser.newPage({ viewport: { width: 1_000, height: 800 } });
    const { script, style } = await pageScript("editor-shift-page.ts", "shift");
    await page.setContent("<!doctype html><html><body></body></html>");
    await page.addStyleTag({ content: style });
    await page.addStyleTag({ content: allLaidOut });
    await page.addScriptTag({ content: script });
  });
  afterAll(() => browser?.close(), timeout);

  const shiftsIn = (markdown: string, width: number): Promise<string[]> =>
    shiftsOfDocument(parseMarkdown(markdown), width);

  const shiftsOfDocument = async (doc: ReturnType<typeof parseMarkdown>, width: number): Promise<string[]> => {
    const found = await page.evaluate(([json, html, inner]) => shift.shiftsOf(json, html, inner), [
      JSON.stringify(doc),
      readingHtml(doc),
      width,
    ] as const);
    return found.map(({ block, reading, editing }) => `block ${block}\n  ${reading}\n  ${editing}`);
  };

  it.each([672, 288])(
    "has every block where readers see it, at %i pixels, for every construct",
    { timeout },
    async (width) => {
      const found: string[] = [];
      for (const { name, markdown } of cases) {
        const shifts = await shiftsIn(markdown, width);
        if (shifts.length > 0) found.push(`${name}: ${shifts[0]}`);
      }
      expect(found).toEqual([]);
    },
  );

  it.each(sided)(
    "has %s on the side where readers see them",
    { meta: { proves: ["web.editor.still"] }, timeout },
    async (_name, markdown) => {
      const doc = parseMarkdown(markdown);
      const places = [JSON.stringify(doc), readingHtml(doc), 672] as const;
      const [read, edited] = await page.evaluate((given) => shift.wordsOf(...given), places);
      expect(read.length).toBeGreaterThan(1);
      expect(edited).toEqual(read);
      expect(await shiftsIn(markdown, 288)).toEqual([]);
    },
  );

  /** Presses a key; returns the text and the offset of the caret. The editor may set the caret once more for what was typed before. */
  async function caretAfter(key: string): Promise<unknown> {
    await page.keyboard.press(key);
    await caretRead(page);
    return page.evaluate(() => [getSelection()?.anchorNode?.textContent, getSelection()?.anchorOffset]);
  }

  it("turns a list, a quote and a task with the first letter that is typed in them, and back", {
    timeout,
  }, async () => {
    for (const [signs, box] of [
      ["- ", "ul"],
      ["1. ", "ol"],
      ["> ", "blockquote"],
      ["[] ", "ul.task-list"],
    ] as const) {
      await page.evaluate(() => shift.beginToWrite());
      const direction = (): Promise<string> =>
        page.locator(`.editor ${box}`).evaluate((element) => getComputedStyle(element).direction);
      await page.keyboard.type(`${signs}ש`);
      expect(await direction(), box).toBe("rtl");
      await page.keyboard.press("Enter");
      await page.keyboard.type("e");
      expect(await direction(), box).toBe("rtl");
      await expect.poll(() => caretAfter("Control+Home")).toEqual(["ש", 0]);
      await page.keyboard.type("A");
      expect(await direction(), box).toBe("ltr");
    }
  });

  it.each([672, 288])(
    "has every block of a long text where readers see it, at %i pixels",
    { timeout },
    async (width) => {
      const blocks = cases.flatMap(({ markdown }) => parseMarkdown(markdown).content ?? []);
      // In other orders, other blocks stand at the edges of the groups in which they are drawn.
      for (const shift of [0, 7, 13, 20]) {
        const content = [...blocks.slice(shift), ...blocks.slice(0, shift)];
        expect(await shiftsOfDocument({ type: "doc", content }, width)).toEqual([]);
      }
      expect(await shiftsIn("Text\n\n## Heading\n\n---\n\n".repeat(200), width)).toEqual([]);
      expect(await shiftsIn("# Heading\n\n".repeat(300), width)).toEqual([]);
    },
  );

  it("lays out what is near the window, and the rest of a long text once it is", { timeout }, async () => {
    const doc = parseMarkdown("Some **words** of a paragraph.\n\n".repeat(600));
    await page.evaluate((json) => shift.beginToWrite(json), JSON.stringify(doc));
    const isLaidOut = (index: number): Promise<boolean> =>
      page
        .locator(".editor strong")
        .nth(index)
        .evaluate((words) => words.checkVisibility({ contentVisibilityAuto: true }));
    await expect.poll(() => isLaidOut(300)).toBe(false);
    expect(await isLaidOut(0)).toBe(true);
    // The caret may come to it at any time.
    expect(await isLaidOut(599)).toBe(true);
    await page.locator(".editor strong").nth(300).scrollIntoViewIfNeeded();
    await expect.poll(() => isLaidOut(300)).toBe(true);
    await expect.poll(() => isLaidOut(450)).toBe(false);
    // It is laid out before the next picture where the caret comes to it.
    expect(await page.evaluate(() => shift.selectIn(450))).toBe(true);
  });

  const { name, documents } = realDocuments();
  it(`has every block where readers see it, for ${count} of ${name}`, {
    meta: { proves: ["web.editor.still"] },
    timeout: 4 * timeout,
  }, async () => {
    const step = Math.max(1, Math.floor(documents.length / count));
    const found: string[] = [];
    for (const { path, markdown } of documents.filter((_, index) => index % step === 0)) {
      const shifts = await shiftsIn(markdown, 672);
      if (shifts.length > 0) found.push(`${path}: ${shifts.length} of them, ${shifts[0]}`);
    }
    expect(found).toEqual([]);
  });
});
