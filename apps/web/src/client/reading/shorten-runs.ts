/** A text without the middle of its long runs. `from` and `to` return where a part that begins or ends at an offset does so in the whole text. */
type ShortText = {
  readonly text: string;
  readonly from: (offset: number) => number;
  readonly to: (offset: number) => number;
};

type Cut = { readonly at: number; readonly removed: number };

/** The most characters that are left of a run. */
const mostLeft = 300;

/** Words and the spaces between them, or one character over and over. */
const runs = /[\w$\s\u0080-\uffff]+|(.)\1*/g;

/**
 * Leaves out the middle of long runs without a sign, such as an encoded picture. Patterns that look for a name before a bracket go through
 * the rest of a run at each of its characters: 20,000 letters would hold the page up for seconds.
 */
export function shortenRuns(whole: string): ShortText {
  const cuts: Cut[] = [];
  let text = "";
  for (const [run] of whole.matchAll(runs)) {
    if (run.length <= mostLeft) {
      text += run;
      continue;
    }
    const half = mostLeft / 2;
    // A construct that ends with its line ends here too.
    const between = run.slice(half, -half).includes("\n") ? "\n" : "";
    text += run.slice(0, half);
    cuts.push({ at: text.length, removed: run.length - mostLeft - between.length });
    text += between + run.slice(-half);
  }
  const removedWhere = (isCounted: (cut: Cut) => boolean): number =>
    cuts.reduce((sum, cut) => sum + (isCounted(cut) ? cut.removed : 0), 0);
  return {
    text,
    from: (offset) => offset + removedWhere(({ at }) => at <= offset),
    to: (offset) => offset + removedWhere(({ at }) => at < offset),
  };
}
