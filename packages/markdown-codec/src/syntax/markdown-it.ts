import type MarkdownIt from "markdown-it";
import type { BlockRule, InlineRule, PairingRule } from "./rule.ts";

// The types of `generated/markdown-it.ts`, which has the rules of markdown-it that this package uses.

/** markdown-it's rules for blocks. */
export interface BlockRules {
  readonly blockquote: BlockRule;
  readonly code: BlockRule;
  readonly fence: BlockRule;
  readonly heading: BlockRule;
  readonly list: BlockRule;
  readonly reference: BlockRule;
  readonly rule: BlockRule;
  readonly table: BlockRule;
}

/** A rule for a delimiter that comes in pairs: `postProcess` makes marks of the pairs of a line. */
interface DelimiterRule {
  readonly tokenize: InlineRule;
  readonly postProcess: PairingRule;
}

/** markdown-it's rules for lines of text. */
export interface LineRules {
  readonly autolink: InlineRule;
  readonly backslash: InlineRule;
  readonly backticks: InlineRule;
  readonly balancePairs: PairingRule;
  readonly emphasis: DelimiterRule;
  readonly entity: InlineRule;
  readonly image: InlineRule;
  readonly joinFragments: PairingRule;
  readonly link: InlineRule;
  readonly newline: InlineRule;
  readonly strikethrough: DelimiterRule;
}

/** markdown-it's states. */
export interface States {
  readonly StateBlock: BlockStates;
  readonly StateInline: InlineStates;
}

/** The class of the states of texts. */
type BlockStates = typeof import("markdown-it/lib/rules_block/state_block.mjs").default;

/** The class of the states of lines. */
export type InlineStates = MarkdownIt["inline"]["State"];

/** markdown-it's functions that take the parts of links. */
export type Helpers = MarkdownIt["helpers"];

/** markdown-it's functions about characters and labels. */
export interface Characters {
  isPunctChar(character: string): boolean;
  isWhiteSpace(code: number): boolean;
  /** The label of a reference, folded as CommonMark says. */
  normalizeReference(label: string): string;
  /** Resolves entities and backslashes. */
  unescapeAll(text: string): string;
}
