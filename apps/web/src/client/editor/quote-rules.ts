import { InputRule } from "prosemirror-inputrules";
import type { EditorState } from "prosemirror-state";
import { isQuoteStyle, quoteStyles } from "../parts/quote-styles.ts";

type Signs = readonly [open: string, close: string, innerOpen: string, innerClose: string];

/** Returns the text to write instead of the typed sign, and how many characters before it to replace too; null to leave the typed sign. */
type Replacement = (before: string, typed: string) => { readonly text: string; readonly instead?: number } | null;

const apostrophe = "’";

/** How much of a paragraph before the caret is searched for a quotation or code that is open. */
const searchedCharacters = 500;

/** A quotation begins after this: nothing, a space, a dash or an opening bracket. */
const beginning = /(?:^|[\s\p{Pd}\p{Ps}])$/u;

/** Code, a formula or the address of a link that is still being typed. */
const unfinished = /^[^`]*(?:`[^`]*`[^`]*)*`[^`]*$|(?<![\p{L}\p{N}$\\])\$[^\s\d$][^$]*$|\]\([^)]*$/u;

/**
 * Returns the rules that replace `"` and `'` with the quotation marks of a language, and `'` after a letter with an apostrophe; none for
 * an unknown style. Signs in code stay, and so do those of feet and inches. Backspace right after a mark brings the typed sign back.
 */
export function quoteRules(style: string): InputRule[] {
  if (!isQuoteStyle(style)) return [];
  const signs: Signs = quoteStyles[style];
  const [open, , , innerClose] = signs;
  const rules = [rule(/["']$/, (before, typed) => markFor(typed, before, signs))];
  // Only the next letter shows that an apostrophe did not end the inner quotation.
  if (innerClose !== apostrophe) {
    const closed = new RegExp(`\\p{L}${innerClose}$`, "u");
    const instead = innerClose.length;
    rules.push(
      rule(/\p{L}$/u, (before, typed) => (closed.test(before) ? { text: `${apostrophe}${typed}`, instead } : null)),
    );
  }
  // The opening mark has its space already.
  if (isSpaced(open)) rules.push(rule(/ $/, (before) => (before.endsWith(open) ? { text: "" } : null)));
  return rules;
}

const isSpaced = (open: string): boolean => /\s$/.test(open);

function rule(typed: RegExp, replacement: Replacement): InputRule {
  const handle = (state: EditorState, [sign]: RegExpMatchArray, start: number, end: number) => {
    const { parent, parentOffset } = state.doc.resolve(start);
    const from = Math.max(0, parentOffset - searchedCharacters);
    const before = parent.textBetween(from, parentOffset, null, ({ type: { name } }) =>
      name === "hardBreak" ? "\n" : "\ufffc",
    );
    const written = unfinished.test(before) ? null : replacement(before, sign);
    return written && state.tr.insertText(written.text, start - (written.instead ?? 0), end);
  };
  return new InputRule(typed, handle, { inCodeMark: false });
}

/** Returns the mark for a sign that is typed after some text; null where the sign stays. */
function markFor(typed: string, before: string, [open, close, innerOpen, innerClose]: Signs): ReturnType<Replacement> {
  const isOuter = typed === '"';
  const opening = isOuter ? open : innerOpen;
  const closing = isOuter ? close : innerClose;
  const isPending = isOpen(before, opening, closing);
  if (isOuter && isSpaced(open) && isPending && before.endsWith(" ")) return { text: close, instead: 1 };
  if (beginning.test(before) || before.endsWith(open) || before.endsWith(innerOpen)) return { text: opening };
  if (isPending) return { text: closing };
  if (/\d$/.test(before)) return null;
  return { text: isOuter ? closing : apostrophe };
}

/** Returns whether a quotation is open at the end of a text. */
const isOpen = (text: string, opening: string, closing: string): boolean =>
  opening === closing ? text.split(opening).length % 2 === 0 : text.lastIndexOf(opening) > text.lastIndexOf(closing);
