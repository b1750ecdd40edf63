import fc from "fast-check";
import type { CDPSession, Page } from "playwright-core";
import { pressKeys, typeText } from "./editor-key-events.ts";
import type { dragPoints, drawn, handlePoint, pasteAtCaret, replaceAll, writeAsOther } from "./editor-keys-page.ts";

declare const writing: {
  readonly dragPoints: typeof dragPoints;
  readonly drawn: typeof drawn;
  readonly handlePoint: typeof handlePoint;
  readonly pasteAtCaret: typeof pasteAtCaret;
  readonly replaceAll: typeof replaceAll;
  readonly writeAsOther: typeof writeAsOther;
};

type ScriptedPage = { readonly page: Page; readonly devtools: CDPSession };

/**
 * A key or several, a text to type, something to paste, a text to replace everywhere, a block to drag to another while somebody else
 * writes, or a word that somebody else writes.
 */
export type Action =
  | { readonly kind: "key"; readonly value: string }
  | { readonly kind: "text"; readonly value: string }
  | { readonly kind: "paste"; readonly value: readonly [type: string, text: string] }
  | { readonly kind: "replace"; readonly value: readonly [text: string, replacement: string, isExact: boolean] }
  | { readonly kind: "drag"; readonly value: readonly [from: number, to: number, isLeft: boolean] }
  | { readonly kind: "other"; readonly value: number };

/** What is written by a key or a text, all at once. */
type Written = Extract<Action, { readonly kind: "key" | "text" }>;
const isWritten = (action: Action): action is Written => action.kind === "key" || action.kind === "text";

/** Keys of all kinds, those that write most often. */
export const keys = [
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
/** A place from 0 to below 1. Doubles would nearly all be next to 0: there are more of them there. */
export const share = fc.integer({ min: 0, max: 999 }).map((place) => place / 1_000);
/** What somebody who writes may do. */
export const actions: fc.Arbitrary<Action> = fc.oneof(
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

/** Drags a block over another one while somebody else writes in the text; leaves it with Escape, or drops it. */
async function drag(page: Page, from: number, to: number, isLeft: boolean): Promise<void> {
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
}

/** Sends keys without waiting for each, and waits before anything that does not come through the browser's input. */
export async function runActions({ page, devtools }: ScriptedPage, script: readonly Action[]): Promise<void> {
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
    else if (action.kind === "drag") await drag(page, ...action.value);
    else await page.evaluate((where) => writing.writeAsOther(where, "theirs "), action.value);
  }
  await Promise.all(sent);
}
