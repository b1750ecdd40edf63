import type { BlockRule, InlineRule, PairingRule } from "./rule.ts";

/** The rules that constructs of an integrator add to those of this package. */
export interface AddedRules {
  /** Rules for lines of text by their first character, which no rule of this package begins with. */
  readonly lines: { readonly [sign: string]: readonly InlineRule[] };
  /** Rules for blocks by their first character, which no rule of this package begins with. None of them ends a paragraph. */
  readonly blocks: { readonly [sign: string]: readonly BlockRule[] };
  readonly pairing: readonly PairingRule[];
}

/** The constructs of an integrator, as reading and writing see them: raw constructs and directives with content. */
export interface Extension {
  readonly rules: AddedRules;
  /** The directives that have blocks inside. */
  readonly directives: ReadonlySet<string>;
  /** The kinds of raw constructs beside those of this package. */
  readonly kinds: ReadonlySet<string>;
  /** Everything in a text that could begin one of the constructs (global); undefined where nothing can. */
  readonly signs: RegExp | undefined;
  /** True for the sign at the beginning or the end of a mark. */
  isMarker(kind: string, source: string): boolean;
  /** The words of a raw construct, or an empty string. */
  words(kind: string, source: string): string;
}

let current: Extension | undefined;

/** The extension of the call that runs, if its codec has one. */
export function extension(): Extension | undefined {
  return current;
}

/**
 * Runs a function whose reading and writing have this extension. Functions of this package never wait, so that no other
 * call can begin before this one has ended.
 */
export function withExtension<Result>(added: Extension | undefined, run: () => Result): Result {
  const before = current;
  current = added;
  try {
    return run();
  } finally {
    current = before;
  }
}
