/** The text of a statement or of a part of one, between its values: one piece more than it has values. */
export type ComposedText = {
  /** Identifies equal texts; undefined beyond the limit, where texts are composed each time. */
  readonly id: number | undefined;
  readonly pieces: readonly string[];
  /** The whole text with placeholders `$1`, `$2`, …, once it was asked for. */
  whole: string | undefined;
};

/** Bounds the memory for known texts, whatever is composed from input, such as a list of conditions. */
const maxKnown = 10_000;
let known = 0;

/** Stands for a value that becomes a parameter. */
export const parameter = Symbol("parameter");
type Part = ComposedText | typeof parameter;

const ofTemplates = new WeakMap<readonly string[], Map<string, ComposedText>>();
const ofTexts = new Map<string, ComposedText>();
const ofLists = new Map<string, ComposedText>();

/** Composes the text of a template whose strings are the same array at each call. */
export function composeTemplate(strings: readonly string[], parts: readonly Part[]): ComposedText {
  let texts = ofTemplates.get(strings);
  if (texts === undefined) {
    texts = new Map();
    ofTemplates.set(strings, texts);
  }
  return remembered(texts, keyOf(parts), () => interleave(strings, parts));
}

/** Returns a text without values. */
export const composeRaw = (text: string): ComposedText => remembered(ofTexts, text, () => [text]);

/** Composes a list of parts with a separator between them. */
export function composeList(separator: string, parts: readonly Part[]): ComposedText {
  const key = keyOf(parts);
  return remembered(ofLists, key === undefined ? undefined : `${separator} ${parts.length} ${key}`, () => {
    const strings = ["", ...Array.from({ length: parts.length - 1 }, () => separator), ""];
    return interleave(strings, parts);
  });
}

/** Composes any strings with parts between them. */
export function interleave(strings: readonly string[], parts: readonly Part[]): string[] {
  const pieces = [strings[0] ?? ""];
  for (const [index, part] of parts.entries()) {
    const following = strings[index + 1] ?? "";
    if (part === parameter) {
      pieces.push(following);
      continue;
    }
    const [first = "", ...rest] = part.pieces;
    pieces.push(`${pieces.pop()}${first}`, ...rest);
    pieces.push(`${pieces.pop()}${following}`);
  }
  return pieces;
}

/** Returns a text that is not kept. */
export const unknownText = (pieces: readonly string[]): ComposedText => ({ id: undefined, pieces, whole: undefined });

/** Returns the text with its placeholders. */
export function wholeText(text: ComposedText): string {
  text.whole ??= text.pieces.reduce((before, piece, index) => `${before}$${index}${piece}`);
  return text.whole;
}

/** Identifies the nested texts, so that equal compositions share one text; undefined if one of them is not known. */
function keyOf(parts: readonly Part[]): string | undefined {
  let key = "";
  for (const [index, part] of parts.entries()) {
    if (part === parameter) continue;
    if (part.id === undefined) return undefined;
    key += `${index}:${part.id} `;
  }
  return key;
}

function remembered(
  texts: Map<string, ComposedText>,
  key: string | undefined,
  pieces: () => readonly string[],
): ComposedText {
  const found = key === undefined ? undefined : texts.get(key);
  if (found !== undefined) return found;
  if (key === undefined || known >= maxKnown) return unknownText(pieces());
  known += 1;
  const text: ComposedText = { id: known, pieces: pieces(), whole: undefined };
  texts.set(key, text);
  return text;
}
