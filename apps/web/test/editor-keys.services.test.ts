import { timeout } from "@kb/testing/chromium";
import fc from "fast-check";
import { parseMarkdown, serializeMarkdown } from "markdown-codec";
import type { CDPSession, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pressKeys, typeText } from "./editor-key-events.ts";
import type {
  dragPoints,
  drawn,
  handlePoint,
  openText,
  pasteAtCaret,
  readText,
  replaceAll,
  writeAsOther,
} from "./editor-keys-page.ts";
import { type KeysPage, openKeysPage, partOfText } from "./open-keys-page.ts";

declare const writing: {
  readonly dragPoints: typeof dragPoints;
  readonly drawn: typeof drawn;
  readonly handlePoint: typeof handlePoint;
  readonly openText: typeof openText;
  readonly pasteAtCaret: typeof pasteAtCaret;
  readonly readText: typeof readText;
  readonly replaceAll: typeof replaceAll;
  readonly writeAsOther: typeof writeAsOther;
};

const scripts = Number(process.env.KB_KEY_SCRIPTS ?? 150);

/**
 * A key or several, a text to type, something to paste, a text to replace everywhere, a block to drag to another while somebody else
 * writes, or a word that somebody else writes.
 */
type Action =
  | { readonly kind: "key"; readonly value: string }
  | { readonly kind: "text"; readonly value: string }
  | { readonly kind: "paste"; readonly value: readonly [type: string, text: string] }
  | { readonly kind: "replace"; readonly value: readonly [text: string, replacement: string, isExact: boolean] }
  | { readonly kind: "drag"; readonly value: readonly [from: number, to: number, isLeft: boolean] }
  | { readonly kind: "other"; readonly value: number };

/** What is written by a key or a text, all at once. */
type Written = Extract<Action, { readonly kind: "key" | "text" }>;
const isWritten = (action: Action): action is Written => action.kind === "key" || action.kind === "text";

const keys = [
  ..."Enter Enter Enter Backspace Backspace Delete Tab Shift+Tab Escape Shift+Enter Home End".split(" "),
  ..."ArrowUp ArrowDown ArrowLeft ArrowRight Shift+ArrowLeft Shift+ArrowRight Shift+ArrowUp Control+ArrowLeft".split(
    " ",
  ),
  ..."Alt+ArrowUp Alt+ArrowDown Control+a Control+z Control+z Control+y Control+Home Control+End Control+Backspace".split(
    " ",
  ),
  ..."Control+b Control+i Control+e Control+Alt+1 Control+Alt+c Control+Shift+7 Control+Shift+8 Control+Shift+9".split(
    " ",
  ),
  ..."Control+Shift+b Control+Alt+r Control+x".split(" "),
];
const texts = [
  ..."word;two words;# ;## ;- ;1. ;> ;[] ;[x] ;```ts ;---;**b**;*i*;`c`;~~s~~;==h==;[l](https://a.org);漢字;مرحبا;🎉;\\;<b>;*".split(
    ";",
  ),
  "/table",
  "/quote",
  "/note",
  "/details",
  "/formula",
  "/footnote",
  "/date",
  "@",
  ":smile:",
  "/",
  "> [!tip] ",
  "x | y",
  "$x^2$ ",
  "$$ ",
];
const pastes: readonly (readonly [string, string])[] = [
  ["text/plain", "plain"],
  ["text/plain", "two\nlines"],
  ["text/html", "<p>One <b>bold</b></p><ul><li>a<ul><li>b</li></ul></li></ul>"],
  ["text/html", "<table><tr><td>a<td>b<tr><td>c<td>d</table>"],
  ["text/html", "<pre>code\n  more</pre>"],
];
const replacements: readonly (readonly [string, string])[] = [
  ["word", "other words"],
  ["o", ""],
  ["W", "漢"],
  ["s", "🎉s"],
  ["*", "\\"],
];
const share = fc.double({ min: 0, max: 0.999, noNaN: true });
const actions: fc.Arbitrary<Action> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant("key" as const), value: fc.constantFrom(...keys) }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant("text" as const), value: fc.constantFrom(...texts) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("paste" as const), value: fc.constantFrom(...pastes) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("replace" as const),
      value: fc
        .tuple(fc.constantFrom(...replacements), fc.boolean())
        .map(([pair, isExact]) => [...pair, isExact] as const),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant("drag" as const), value: fc.tuple(share, share, fc.boolean()) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("other" as const), value: share }) },
);

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
  }, 120_000);
  afterAll(() => close?.(), timeout);

  /** Drags a block over another one while somebody else writes in the text; leaves it with Escape, or drops it. */
  const drag = async (from: number, to: number, isLeft: boolean): Promise<void> => {
    const points = await page.evaluate((given) => writing.dragPoints(...given), [from, to] as const);
    await page.mouse.move(points.from.x, points.from.y);
    const handle = await page.evaluate(() => writing.handlePoint());
    if (handle === null) return;
    await page.mouse.move(handle.x, handle.y);
    await page.mouse.down();
    await page.mouse.move(points.to.x, points.to.y, { steps: 2 });
    await page.evaluate((where) => writing.writeAsOther(where, "meanwhile "), to);
    await page.evaluate(() => writing.drawn());
    if (isLeft) await page.keyboard.press("Escape");
    await page.mouse.up();
  };

  /** Sends keys without waiting for each, and waits before anything that does not come through the browser's input. */
  const run = async (script: readonly Action[]): Promise<void> => {
    let sent: Promise<unknown>[] = [];
    for (const action of script) {
      if (isWritten(action)) {
        const { kind, value } = action;
        sent.push(...(kind === "key" ? pressKeys(devtools, value) : typeText(devtools, value)));
        continue;
      }
      await Promise.all(sent);
      sent = [];
      if (action.kind === "paste") await page.evaluate((given) => writing.pasteAtCaret(...given), action.value);
      else if (action.kind === "replace") await page.evaluate((given) => writing.replaceAll(...given), action.value);
      else if (action.kind === "drag") await drag(...action.value);
      else await page.evaluate((where) => writing.writeAsOther(where, "theirs "), action.value);
    }
    await Promise.all(sent);
  };

  /** Expects that the page shows the document as it is, and that its Markdown gives the same document; returns that. */
  const read = async (name: string): Promise<string> => {
    const { json, shown, expected, misplaced } = await page.evaluate(() => writing.readText());
    expect(shown, name).toBe(expected);
    expect(misplaced, name).toEqual([]);
    expect(errors.splice(0), name).toEqual([]);
    const markdown = serializeMarkdown(JSON.parse(json));
    expect(serializeMarkdown(parseMarkdown(markdown)), name).toBe(markdown);
    return markdown;
  };

  it(`the page shows the document as it is after ${scripts} random scripts of keys, pastes, drags, replacements and changes by others`, {
    meta: { proves: ["web.editor.keys"] },
    timeout: scripts * 2_000,
  }, async () => {
    const seed = Number(process.env.KB_FUZZ_SEED ?? Date.now());
    const samples = fc.sample(fc.array(actions, { minLength: 6, maxLength: 16 }), { numRuns: scripts, seed });
    const found = new Set<string>();
    const long = JSON.stringify(parseMarkdown(partOfText.repeat(30)));
    for (const [index, script] of samples.entries()) {
      // A long text is drawn in another way.
      await page.evaluate((json) => writing.openText(json), index % 3 === 0 ? long : undefined);
      await run(script);
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
