import type { StateBlock, StateInline } from "markdown-it";

/** A rule for blocks, as markdown-it calls it. */
export type BlockRule = (state: StateBlock, line: number, endLine: number, silent: boolean) => boolean;

/** A rule for a line of text, as markdown-it calls it. */
export type InlineRule = (state: StateInline, silent: boolean) => boolean;

/** A rule that works on a whole line when its signs are known. */
export type PairingRule = (state: StateInline) => void;

/** A rule for a delimiter that comes in pairs: `postProcess` makes marks of the pairs of a line. */
export interface DelimiterRule {
  readonly tokenize: InlineRule;
  readonly postProcess: PairingRule;
}
