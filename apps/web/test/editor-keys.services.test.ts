import { timeout } from "@kb/testing/chromium";
import fc from "fast-check";
import { normalize, parseMarkdown, serializeMarkdown } from "markdown-codec";
import type { CDPSession, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pressKeys, typeText } from "./editor-key-events.ts";
import { actions, keys, runActions } from "./editor-key-scripts.ts";
import type { drawn, openText, readText, writeAsOther } from "./editor-keys-page.ts";
import { type KeysPage, openKeysPage, partOfArabicText, partOfText } from "./open-keys-page.ts";

declare const writing: {
  readonly drawn: typeof drawn;
  readonly openText: typeof openText;
  readonly readText: typeof readText;
  readonly writeAsOther: typeof writeAsOther;
};

const scripts = Number(process.env.KB_KEY_SCRIPTS ?? 150);

/** What input methods do for a word: what stands in the text while it is composed, and what it becomes. */
const compositions: readonly (readonly [language: string, steps: readonly string[], word: string])[] = [
  ["Japanese", ["k", "か", "かn", "かん", "かんじ", "漢字"], "漢字"],
  ["Korean", ["ㅎ", "하", "한"], "한"],
  ["Chinese", ["n", "ni", "ni h", "ni hao", "你好"], "你好"],
  ["Android's pattern", ["t", "te", "tex", "text"], "text"],
];

const times = (count: number, ...values: readonly string[]): string[] =>
  Array.from({ length: count }, () => values).flat();
const paragraphs = (...texts: readonly string[]): string => `${texts.join("\n\n")}\n`;

/** Keys that make blocks, and text that is typed in them before the browser has drawn them. */
const typed: readonly (readonly [name: string, keys: readonly string[], markdown: string])[] = [
  ["a list", ["- one", "Enter", "two", "Enter", "Enter", "Text"], "- one\n- two\n\nText\n"],
  ["a numbered list", ["3. three", "Enter", "four"], "3. three\n4. four\n"],
  ["a list of tasks", ["[x] done", "Enter", "open"], "- [x] done\n- [ ] open\n"],
  ["a quote", ["> Said.", "Enter", "More."], "> Said.\n>\n> More.\n"],
  ["a callout", ["> [!Warning] Careful."], "> [!WARNING]\n> Careful.\n"],
  ["code", ["```ts const a = 1;"], "```ts\nconst a = 1;\n```\n"],
  ["paragraphs", ["one", "Enter", "two", "Enter", "three"], paragraphs("one", "two", "three")],
  [
    "a letter in the line above nine others",
    [...times(12, "aaa", "Enter"), "aaa", ...times(9, "ArrowUp"), "b"],
    paragraphs(...times(3, "aaa"), "aaab", ...times(9, "aaa")),
  ],
  [
    "a letter to the left of nine others",
    [...times(12, "a", "Enter"), "a", ...times(9, "ArrowLeft"), "b"],
    paragraphs(...times(8, "a"), "ba", ...times(4, "a")),
  ],
  [
    "a letter where others were",
    [...times(12, "a", "Enter"), "a", ...times(9, "Backspace"), "b"],
    paragraphs(...times(8, "a"), "b"),
  ],
];

describe("what is written by keys", () => {
  let page: Page;
  let devtools: CDPSession;
  let errors: KeysPage["errors"];
  let close: KeysPage["close"] | undefined;
  beforeAll(async () => {
    // Beside the text there is room for the handle.
    ({ page, devtools, errors, close } = await openKeysPage(".around { position: relative; margin: 0 3rem; }"));
  });
  afterAll(() => close?.(), timeout);

  /** Expects that the page shows the document as it is, and that its Markdown gives the same document; returns that. */
  const read = async (name: string): Promise<string> => {
    const { json, shown, expected, misplaced } = await page.evaluate(() => writing.readText());
    expect(shown, name).toBe(expected);
    expect(misplaced, name).toEqual([]);
    expect(errors.splice(0), name).toEqual([]);
    const { doc } = normalize(JSON.parse(json));
    const markdown = serializeMarkdown(doc);
    expect(parseMarkdown(markdown), name).toEqual(doc);
    return markdown;
  };

  it(`the page shows the document as it is after ${scripts} random scripts of keys, pastes, drags, replacements and changes by others`, {
    meta: { proves: ["web.editor.keys"] },
    timeout: scripts * 2_000,
  }, async () => {
    const seed = Number(process.env.KB_FUZZ_SEED ?? Date.now());
    const samples = fc.sample(fc.array(actions, { minLength: 6, maxLength: 16 }), { numRuns: scripts, seed });
    const found = new Set<string>();
    // A long text is drawn in another way.
    const long = [partOfText, partOfArabicText].map((part) => JSON.stringify(parseMarkdown(part.repeat(30))));
    for (const [index, script] of samples.entries()) {
      await page.emulateMedia({ forcedColors: index % 2 === 0 ? "none" : "active" });
      await page.evaluate((json) => writing.openText(json), long[index % 5]);
      await runActions({ page, devtools }, script);
      found.add(await read(`script ${index} of seed ${seed}: ${JSON.stringify(script)}`));
    }
    // Keys that do nothing would prove nothing.
    expect(found.size).toBeGreaterThan(scripts / 2);
  });

  it.each(typed)(
    "%s is typed as fast as the browser takes keys, and each stands where it was typed",
    {
      meta: { proves: ["web.editor.keys"] },
      timeout,
    },
    async (_name, keysOf, expected) => {
      const written: string[] = [];
      for (let time = 0; time < 10; time++) {
        await page.evaluate(() => writing.openText());
        await Promise.all(
          keysOf.flatMap((value) => (keys.includes(value) ? pressKeys(devtools, value) : typeText(devtools, value))),
        );
        written.push(await read(keysOf.join(" ")));
      }
      expect(new Set(written)).toEqual(new Set([expected]));
    },
  );

  it("arrow keys lead through a long document line by line, however many come between two pictures", {
    meta: { proves: ["web.editor.keys"] },
    timeout,
  }, async () => {
    const lines = Array.from({ length: 200 }, (_, index) => `line ${index}`);
    await page.evaluate((json) => writing.openText(json), JSON.stringify(parseMarkdown(paragraphs(...lines))));
    const sent = ["Control+End", ...times(60, "ArrowUp")].flatMap((value) => pressKeys(devtools, value));
    await Promise.all([...sent, ...typeText(devtools, "b")]);
    expect(await read("60 lines up")).toBe(paragraphs(...lines.slice(0, 139), "line 139b", ...lines.slice(140)));
  });

  it("Control+End leads behind the last letter of a long document of which only the beginning was seen", {
    meta: { proves: ["web.editor.keys"] },
    timeout,
  }, async () => {
    const lines = Array.from({ length: 200 }, (_, index) => `line ${index}`);
    await page.evaluate((json) => writing.openText(json, true), JSON.stringify(parseMarkdown(paragraphs(...lines))));
    await page.evaluate(() => writing.drawn());
    await Promise.all([...pressKeys(devtools, "Control+End"), ...typeText(devtools, "b")]);
    expect(await read("the end")).toBe(paragraphs(...lines.slice(0, -1), "line 199b"));
  });

  it("source that is emptied far from the caret is removed with its block", {
    meta: { proves: ["web.editor.keys"] },
    timeout,
  }, async () => {
    // As far from the caret at the beginning as from the one at the end.
    const text = paragraphs(...times(15, "word"), "<!-- far -->", ...times(15, "word"));
    await page.evaluate((json) => writing.openText(json), JSON.stringify(parseMarkdown(text)));
    const field = page.locator(".raw textarea");
    await expect.poll(() => field.evaluate((element: HTMLTextAreaElement) => element.readOnly)).toBe(false);
    await field.focus();
    await page.keyboard.press("Control+a");
    await page.keyboard.press("Delete");
    await page.keyboard.press("Escape");
    await expect.poll(() => read(text)).toBe(paragraphs(...times(30, "word")));
  });

  it.each(compositions)(
    "a composition in %s stands in the text once, with what others write meanwhile",
    { timeout },
    async (_name, steps, word) => {
      for (const text of [
        "Before",
        "# Head",
        "- item",
        "> **bold**",
        "| a | b |\n| - | - |\n| c | d |",
        partOfText.repeat(30),
      ]) {
        await page.evaluate((json) => writing.openText(json), JSON.stringify(parseMarkdown(text)));
        const before = await read(text);
        for (const step of steps) {
          const caret = step.length;
          await devtools.send("Input.imeSetComposition", { text: step, selectionStart: caret, selectionEnd: caret });
          await page.evaluate(() => writing.writeAsOther(0, "·"));
        }
        await devtools.send("Input.insertText", { text: word });
        await expect.poll(() => read(text)).toContain("·".repeat(steps.length));
        const after = await read(text);
        expect(after.replaceAll("·", "").replace(word, ""), text).toBe(before);
        expect(after.split(word), text).toHaveLength(2);
      }
    },
  );
});
