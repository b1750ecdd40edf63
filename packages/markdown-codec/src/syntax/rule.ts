import type { StateBlock, StateInline } from "markdown-it";

/** A rule for blocks, as markdown-it calls it. */
export type BlockRule = (state: StateBlock, line: number, endLine: number, silent: boolean) => boolean;

/** A rule for a line of text, as markdown-it calls it. */
export type InlineRule = (state: StateInline, silent: boolean) => boolean;

/** A rule that works on a whole line when its signs are known. */
export type PairingRule = (state: StateInline) => void;
