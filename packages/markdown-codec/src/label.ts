const NOT_IN_LABEL = /[\s[\]\\^\p{Cc}]+/gu;

/** True for what can stand in `[^…]`: no whitespace, no controls, no brackets, no backslash, no caret. */
export function isFootnoteLabel(label: string): boolean {
  return cleanFootnoteLabel(label) === label;
}

/** The nearest label that can stand in `[^…]`. */
export function cleanFootnoteLabel(label: string): string {
  return label.replace(NOT_IN_LABEL, "-").toWellFormed() || "note";
}

/** Labels that differ in case only are the same footnote, as on GitHub. */
export function foldLabel(label: string): string {
  return label.toLowerCase().toUpperCase();
}

/** A set of folded labels, of which only this is asked. */
export interface Labels {
  has(label: string): boolean;
}
