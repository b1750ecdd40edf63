import type MarkdownIt from "markdown-it";
import type { Token } from "markdown-it";
import { isSafeAddress } from "../url.ts";
import { bareAddress } from "./bare-address.ts";
import { blockParser } from "./block-dispatch.ts";
import { blockMath } from "./block-math.ts";
import type { BlockParser } from "./block-parser.ts";
import { cjkFriendlyState } from "./cjk-friendly.ts";
import { doubled, pairs, subOrSup } from "./delimiters.ts";
import { type EmojiLookup, emojiRule } from "./emoji-rule.ts";
import type { Environment } from "./environment.ts";
import type { AddedRules } from "./extension.ts";
import { footnoteDefinition, footnoteReference } from "./footnote.ts";
import { inlineMath, wikiLink } from "./inline-atoms.ts";
import { dispatchInline } from "./inline-dispatch.ts";
import { InlineParser } from "./inline-parser.ts";
import * as markdownIt from "./markdown-it.ts";
import { definitionList, directive, frontMatter, htmlBlock, linkDefinition } from "./raw-block.ts";
import { blockId, inlineDirective, inlineHtml } from "./raw-inline.ts";
import type { InlineRule } from "./rule.ts";
import { tag } from "./tag.ts";
import { textRule } from "./text-rule.ts";

/** Reads the syntax of this package. It keeps nothing of what it reads, and can be shared. */
export interface Tokenizer {
  /** Reads the blocks of a text. Their tokens go to the environment as blocks are finished; returns the last ones. */
  readBlocks(source: string, environment: Environment): Token[];
  /** Reads a line of text. */
  readLine(source: string, environment: Environment): Token[];
  /** True for a line of text that holds no markup. */
  isPlain(source: string): boolean;
}

/** The choices that a tokenizer is made with. */
export interface TokenizerChoices {
  /** Finds the emoji of a shortcode. */
  readonly emojiFor: EmojiLookup;
  /** Reads delimiters beside Chinese, Japanese and Korean as writers of these languages mean them. */
  readonly cjkFriendly: boolean;
  /** The rules of an integrator's constructs. */
  readonly added?: AddedRules | undefined;
}

const { code, fence, heading, list, rule } = markdownIt.blocks;
const { StateBlock, StateInline } = markdownIt.states;

const identity = (url: string): string => url;

/** Returns a tokenizer made of rules of markdown-it and of this package. URLs stay as they are written. */
export function createTokenizer({ emojiFor, cjkFriendly, added }: TokenizerChoices): Tokenizer {
  const states = cjkFriendly ? cjkFriendlyState(StateInline) : StateInline;
  const block = blocks(added);
  const { text, isPlain } = textRule(Object.keys(added?.lines ?? {}).join(""));
  const inline = new InlineParser(states, dispatchInline(text, { ...lines(emojiFor), ...added?.lines }), [
    ...(added?.pairing ?? []),
    markdownIt.lines.balancePairs,
    markdownIt.lines.strikethrough.postProcess,
    markdownIt.lines.emphasis.postProcess,
    pairs,
    markdownIt.lines.joinFragments,
  ]);
  const md = asMarkdownIt({
    block,
    inline,
    options: {},
    helpers: markdownIt.helpers,
    normalizeLink: identity,
    normalizeLinkText: identity,
    validateLink: isSafeAddress,
  });
  return {
    readBlocks(source, environment): Token[] {
      const tokens: Token[] = [];
      const state = new StateBlock(source, md, environment, tokens);
      block.tokenize(state, state.line, state.lineMax);
      return tokens;
    },
    readLine(source, environment): Token[] {
      const tokens: Token[] = [];
      inline.parse(source, md, environment, tokens);
      return tokens;
    },
    isPlain,
  };
}

/** The members of markdown-it that its states and rules read. */
interface MarkdownItParts extends Pick<MarkdownIt, "normalizeLink" | "normalizeLinkText" | "validateLink"> {
  readonly block: BlockParser;
  readonly inline: InlineParser;
  readonly options: object;
  readonly helpers: object;
}

/** Guarantees that the rules above find in `parts` all that they read: the suites of CommonMark try every one of them. */
function asMarkdownIt(parts: MarkdownItParts): MarkdownIt {
  return parts as object as MarkdownIt;
}

function blocks(added?: AddedRules): BlockParser {
  const noHeads = {
    "`~": [fence],
    ">": [markdownIt.blocks.blockquote],
    "-*": [rule, list],
    _: [rule],
    "+0123456789": [list],
    "[": [footnoteDefinition],
    "<": [htmlBlock],
    "#": [heading],
  };
  // Readers that know no directives take one with a title such as "A | B" for the head of a table.
  const interrupts = { ...noHeads, ":": [directive] };
  return blockParser({
    table: markdownIt.blocks.table,
    code,
    definitionList,
    starts: {
      ...interrupts,
      "-": [frontMatter, rule, list],
      "+": [frontMatter, list],
      "*": [rule, list],
      $: [blockMath],
      "[": [footnoteDefinition, linkDefinition(markdownIt.blocks.reference)],
      ...added?.blocks,
    },
    interrupts,
    noHeads,
    endsItem: { "`~": [fence], ">": [markdownIt.blocks.blockquote], "-*_": [rule], "[": [footnoteDefinition] },
  });
}

function lines(emojiFor: EmojiLookup): { readonly [sign: string]: readonly InlineRule[] } {
  const { autolink, backslash, backticks, emphasis, entity, image, link, newline, strikethrough } = markdownIt.lines;
  return {
    "\n": [newline],
    "\\": [backslash],
    "`": [backticks],
    "~": [subOrSup, strikethrough.tokenize],
    "^": [blockId, subOrSup],
    "=": [doubled],
    "+": [doubled],
    "*": [emphasis.tokenize],
    _: [emphasis.tokenize],
    "[": [wikiLink, footnoteReference, link],
    $: [inlineMath],
    "!": [wikiLink, image],
    "<": [tag, autolink, inlineHtml],
    "&": [entity],
    ":": [bareAddress, inlineDirective, emojiRule(emojiFor)],
  };
}
