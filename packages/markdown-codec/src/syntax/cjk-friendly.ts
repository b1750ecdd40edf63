import { characters, type InlineStates } from "./markdown-it.ts";

const { isPunctChar, isWhiteSpace } = characters;

// Characters that are wide in East Asia, and Hangul: the ranges of the published amendments "markdown-cjk-friendly".
const CJK =
  /[\u1100-\u11ff\u20a9\u2329\u232a\u2e80-\u303e\u3041-\u3247\u3250-\ua4c6\ua960-\ua97c\uac00-\ud7fb\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6b\uff01-\uffee\u{16fe0}-\u{18d08}\u{1aff0}-\u{1b2fb}\u{20000}-\u{3fffd}]/u;

/** True for a text that holds Chinese, Japanese or Korean: only there the two ways of reading differ. */
export function holdsCjk(text: string): boolean {
  return CJK.test(text);
}

function codePointBefore(src: string, pos: number): string {
  const code = src.charCodeAt(pos - 1);
  const isLow = (code & 0xfc00) === 0xdc00;
  return src.slice(pos - (isLow ? 2 : 1), pos);
}

/**
 * The state of a line with the flanking rules of "markdown-cjk-friendly": punctuation does not keep a delimiter from
 * opening or closing where a Chinese, Japanese or Korean character is on one of its sides. `これは**「重要」**です` is bold.
 */
export function cjkFriendlyState(State: InlineStates): InlineStates {
  return class extends State {
    override scanDelims(start: number, canSplitWord: boolean): ReturnType<InstanceType<InlineStates>["scanDelims"]> {
      const scanned = super.scanDelims(start, canSplitWord);
      const end = start + scanned.length;
      const before = start === 0 ? " " : codePointBefore(this.src, start);
      const after = end < this.posMax ? String.fromCodePoint(this.src.codePointAt(end) ?? 0x20) : " ";
      if (!CJK.test(before) && !CJK.test(after)) return scanned;
      const isLeft = !isWhiteSpace(after.codePointAt(0) ?? 0x20);
      const isRight = !isWhiteSpace(before.codePointAt(0) ?? 0x20);
      return {
        length: scanned.length,
        can_open: isLeft && (canSplitWord || !isRight || isPunctChar(before)),
        can_close: isRight && (canSplitWord || !isLeft || isPunctChar(after)),
      };
    }
  };
}
