/**
 * Finds where a pattern occurs, in time that is linear in pattern and text (Knuth, Morris, Pratt). Matches that overlap
 * count too: "aa" occurs twice in "aaa".
 */
export class Pattern {
  readonly #pattern: string;
  // A beginning that is short enough to be searched for by the engine, whose search is not linear in the pattern.
  readonly #head: string;
  // For each length of a matched part, the longest shorter one that it ends with.
  readonly #shorter: Int32Array;

  constructor(pattern: string) {
    this.#pattern = pattern;
    this.#head = pattern.slice(0, 8);
    this.#shorter = new Int32Array(pattern.length + 1);
    let matched = 0;
    for (let end = 1; end < pattern.length; end++) {
      matched = this.#next(matched, pattern.charCodeAt(end));
      this.#shorter[end + 1] = matched;
    }
  }

  /** Returns where the pattern starts in the text, at most `most` times; an empty pattern occurs nowhere. */
  matches(text: string, most: number): readonly number[] {
    const { length } = this.#pattern;
    const starts: number[] = [];
    if (length === 0 || length > text.length) return starts;
    let matched = 0;
    for (let end = 0; end < text.length && starts.length < most; end++) {
      if (matched === 0) {
        end = text.indexOf(this.#head, end);
        if (end === -1) break;
      }
      matched = this.#next(matched, text.charCodeAt(end));
      if (matched < length) continue;
      starts.push(end + 1 - length);
      matched = this.#shorter[matched] ?? 0;
    }
    return starts;
  }

  // How much of the pattern has matched after one more character.
  #next(before: number, code: number): number {
    let matched = before;
    while (matched > 0 && this.#pattern.charCodeAt(matched) !== code) matched = this.#shorter[matched] ?? 0;
    return this.#pattern.charCodeAt(matched) === code ? matched + 1 : 0;
  }
}
