import type MarkdownIt from "markdown-it";
import { isPunctChar, isWhiteSpace, normalizeReference, unescapeAll } from "markdown-it/lib/common/utils.mjs";
import parseLinkDestination from "markdown-it/lib/helpers/parse_link_destination.mjs";
import parseLinkLabel from "markdown-it/lib/helpers/parse_link_label.mjs";
import parseLinkTitle from "markdown-it/lib/helpers/parse_link_title.mjs";
import blockquote from "markdown-it/lib/rules_block/blockquote.mjs";
import code from "markdown-it/lib/rules_block/code.mjs";
import fence from "markdown-it/lib/rules_block/fence.mjs";
import heading from "markdown-it/lib/rules_block/heading.mjs";
import rule from "markdown-it/lib/rules_block/hr.mjs";
import list from "markdown-it/lib/rules_block/list.mjs";
import reference from "markdown-it/lib/rules_block/reference.mjs";
import StateBlock from "markdown-it/lib/rules_block/state_block.mjs";
import table from "markdown-it/lib/rules_block/table.mjs";
import autolink from "markdown-it/lib/rules_inline/autolink.mjs";
import backticks from "markdown-it/lib/rules_inline/backticks.mjs";
import balancePairs from "markdown-it/lib/rules_inline/balance_pairs.mjs";
import emphasis from "markdown-it/lib/rules_inline/emphasis.mjs";
import entity from "markdown-it/lib/rules_inline/entity.mjs";
import backslash from "markdown-it/lib/rules_inline/escape.mjs";
import joinFragments from "markdown-it/lib/rules_inline/fragments_join.mjs";
import image from "markdown-it/lib/rules_inline/image.mjs";
import link from "markdown-it/lib/rules_inline/link.mjs";
import newline from "markdown-it/lib/rules_inline/newline.mjs";
import StateInline from "markdown-it/lib/rules_inline/state_inline.mjs";
import strikethrough from "markdown-it/lib/rules_inline/strikethrough.mjs";
import type { BlockRule, DelimiterRule, InlineRule, PairingRule } from "./rule.ts";

// The rules of markdown-it that this package uses, without its parsers and its renderer. The published package has them in
// this module, without the tables that they bring along (`scripts/bundle-markdown-it.ts`).

/** The rules for blocks. */
export const blocks: BlockRules = { blockquote, code, fence, heading, list, reference, rule, table };

/** The rules for lines of text. */
export const lines: LineRules = {
  autolink,
  backslash,
  backticks,
  balancePairs,
  emphasis,
  entity,
  image,
  joinFragments,
  link,
  newline,
  strikethrough,
};

/** The classes of the states that rules read and change. */
export const states: States = { StateBlock, StateInline };

/** The functions that take the parts of links. */
export const helpers: Helpers = { parseLinkDestination, parseLinkLabel, parseLinkTitle };

/** The functions about characters and labels. */
export const characters: Characters = { isPunctChar, isWhiteSpace, normalizeReference, unescapeAll };

interface BlockRules {
  readonly blockquote: BlockRule;
  readonly code: BlockRule;
  readonly fence: BlockRule;
  readonly heading: BlockRule;
  readonly list: BlockRule;
  readonly reference: BlockRule;
  readonly rule: BlockRule;
  readonly table: BlockRule;
}

interface LineRules {
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

interface States {
  readonly StateBlock: typeof StateBlock;
  readonly StateInline: InlineStates;
}

/** The class of the states of lines. */
export type InlineStates = MarkdownIt["inline"]["State"];

type Helpers = MarkdownIt["helpers"];

interface Characters {
  isPunctChar(character: string): boolean;
  isWhiteSpace(code: number): boolean;
  /** The label of a reference, folded as CommonMark says. */
  normalizeReference(label: string): string;
  /** Resolves entities and backslashes. */
  unescapeAll(text: string): string;
}
