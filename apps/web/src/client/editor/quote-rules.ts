import { InputRule } from "prosemirror-inputrules";
import { isQuoteStyle, quoteStyles } from "../parts/quote-styles.ts";

type Signs = readonly [open: string, close: string, innerOpen: string, innerClose: string];

/** How much of a paragraph is searched for a quotation that is open. */
const searchedCharacters = 500;

/** A quotation begins after this: nothing, a space, a dash or an opening bracket. */
const beginning = /(?:^|[\s\p{Pd}\p{Ps}])$/u;

/**
 * Returns the rules that make quotation marks of a language out of `"` and `'`, and an apostrophe out of `'` after a letter; none for an
 * unknown style. Signs in code stay, and so do those of feet and inches. Backspace right after one brings the typed sign back.
 */
export function quoteRules(style: string): InputRule[] {
  if (!isQuoteStyle(style)) return [];
  const signs: Signs = quoteStyles[style];
  return [/"$/, /'$/].map(
    (typed) =>
      new InputRule(
        typed,
        (state, match, start, end) => {
          const { parent, parentOffset } = state.doc.resolve(start);
          const before = parent.textBetween(
            Math.max(0, parentOffset - searchedCharacters),
            parentOffset,
            null,
            "\ufffc",
          );
          const sign = signFor(match[0], before, signs);
          return sign === null ? null : state.tr.insertText(sign, start, end);
        },
        { inCodeMark: false },
      ),
  );
}

/** Returns the sign for one that is typed after some text; null where the typed one stays. */
function signFor(typed: string, before: string, [open, close, innerOpen, innerClose]: Signs): string | null {
  const isOuter = typed === '"';
  const opening = isOuter ? open : innerOpen;
  const closing = isOuter ? close : innerClose;
  if (beginning.test(before) || before.endsWith(open) || before.endsWith(innerOpen)) return opening;
  if (isOpen(before, opening, closing)) return closing;
  if (/\d$/.test(before)) return null;
  return isOuter ? closing : "’";
}

/** Returns whether a quotation is open at the end of a text. */
const isOpen = (text: string, opening: string, closing: string): boolean =>
  opening === closing ? text.split(opening).length % 2 === 0 : text.lastIndexOf(opening) > text.lastIndexOf(closing);
