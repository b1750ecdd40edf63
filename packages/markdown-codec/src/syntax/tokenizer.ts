import MarkdownIt, { type StateInline } from "markdown-it";
import { isSafeUrl } from "../url.ts";
import { type BlockRule, dispatchBlocks } from "./block-dispatch.ts";
import { blockMath } from "./block-math.ts";
import { cjkFriendlyState } from "./cjk-friendly.ts";
import { doubled, pairs, subOrSup } from "./delimiters.ts";
import { type EmojiLookup, emojiRule } from "./emoji-rule.ts";
import { footnoteDefinition, footnoteReference } from "./footnote.ts";
import { inlineMath, wikiLink } from "./inline-atoms.ts";
import { dispatchInline } from "./inline-dispatch.ts";
import { definitionList, directive, frontMatter, htmlBlock, linkDefinition } from "./raw-block.ts";
import { blockId, inlineDirective, inlineHtml } from "./raw-inline.ts";
import { tag } from "./tag.ts";
import { text } from "./text-rule.ts";
import { wholeTable } from "./whole-table.ts";

type InlineRule = (state: StateInline, silent: boolean) => boolean;

const identity = (url: string): string => url;

/** The choices that a tokenizer is made with. */
export interface TokenizerChoices {
  /** Finds the emoji of a shortcode. */
  readonly emojiFor: EmojiLookup;
  /** Reads delimiters beside Chinese, Japanese and Korean as writers of these languages mean them. */
  readonly cjkFriendly: boolean;
}

/**
 * Returns markdown-it with the syntax of this package. It keeps nothing of what it reads, and can be shared. Only its parts
 * for blocks and for lines are used: what comes between them and after is in `read.ts`. URLs stay as they are written.
 */
export function createTokenizer({ emojiFor, cjkFriendly }: TokenizerChoices): MarkdownIt {
  const md = new MarkdownIt();
  md.normalizeLink = identity;
  md.normalizeLinkText = identity;
  md.validateLink = isSafeUrl;
  if (cjkFriendly) md.inline.State = cjkFriendlyState(md.inline.State);
  addBlocks(md);
  addInlines(md, emojiFor);
  return md;
}

/** The rules of markdown-it by their names; it returns them in the order of their names. */
function rulesByName<Name extends string, Rule>(names: readonly Name[], rules: readonly Rule[]): Record<Name, Rule> {
  if (names.length !== rules.length) throw new Error("markdown-it has other rules than expected.");
  return Object.fromEntries(names.map((name, index) => [name, rules[index]])) as Record<Name, Rule>;
}

const BLOCKS = [
  "table",
  "code",
  "fence",
  "quote",
  "rule",
  "list",
  "reference",
  "html",
  "heading",
  "setext",
  "paragraph",
] as const;

function addBlocks(md: MarkdownIt): void {
  const own = rulesByName<(typeof BLOCKS)[number], BlockRule>(BLOCKS, md.block.ruler.getRules(""));
  const { fence, quote, rule, list, heading } = own;
  const interrupts = {
    "`~": [fence],
    ">": [quote],
    "-*": [rule, list],
    _: [rule],
    "+0123456789": [list],
    "[": [footnoteDefinition],
    "<": [htmlBlock],
    ":": [directive],
    "#": [heading],
  };
  dispatchBlocks(md, {
    table: wholeTable(own.table),
    code: own.code,
    definitionList,
    starts: {
      ...interrupts,
      "-": [frontMatter, rule, list],
      "+": [frontMatter, list],
      "*": [rule, list],
      $: [blockMath],
      "[": [footnoteDefinition, linkDefinition(own.reference)],
    },
    interrupts,
    endsItem: { "`~": [fence], ">": [quote], "-*_": [rule], "[": [footnoteDefinition] },
  });
}

const INLINES = [
  "text",
  "linkify",
  "newline",
  "escape",
  "backticks",
  "strikethrough",
  "emphasis",
  "link",
  "image",
  "autolink",
  "html",
  "entity",
] as const;

function addInlines(md: MarkdownIt, emojiFor: EmojiLookup): void {
  const own = rulesByName<(typeof INLINES)[number], InlineRule>(INLINES, md.inline.ruler.getRules(""));
  dispatchInline(md, text, {
    "\n": [own.newline],
    "\\": [own.escape],
    "`": [own.backticks],
    "~": [subOrSup, own.strikethrough],
    "^": [blockId, subOrSup],
    "=": [doubled],
    "+": [doubled],
    "*": [own.emphasis],
    _: [own.emphasis],
    "[": [wikiLink, footnoteReference, own.link],
    $: [inlineMath],
    "!": [wikiLink, own.image],
    "<": [tag, own.autolink, inlineHtml],
    "&": [own.entity],
    ":": [inlineDirective, emojiRule(emojiFor)],
  });
  md.inline.ruler2.after("emphasis", "pairs", pairs);
}
