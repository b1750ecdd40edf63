import MarkdownIt from "markdown-it";
import { isSafeUrl } from "../url.ts";
import { doubled, pairs, single } from "./delimiters.ts";
import { emoji } from "./emoji-rule.ts";
import { footnoteDefinition, footnoteReference, nestedDefinition } from "./footnote.ts";
import { blockStart } from "./nesting.ts";
import { tag } from "./tag.ts";
import { text } from "./text-rule.ts";

const identity = (url: string): string => url;

let tokenizer: MarkdownIt | undefined;

/**
 * markdown-it with the syntax of this package. It keeps nothing of what it reads, and one is enough. Only its parts
 * for blocks and for lines are used: what comes between them and after is in `read.ts`. URLs stay as they are written.
 */
export function theTokenizer(): MarkdownIt {
  tokenizer ??= createTokenizer();
  return tokenizer;
}

function createTokenizer(): MarkdownIt {
  const md = new MarkdownIt();
  md.normalizeLink = identity;
  md.normalizeLinkText = identity;
  md.validateLink = isSafeUrl;
  md.disable(["html_block", "html_inline", "linkify"]);

  const interrupts = { alt: ["paragraph", "reference", "blockquote", "list"] };
  md.block.ruler.before("table", "block_start", blockStart, { alt: ["blockquote"] });
  md.block.ruler.before("reference", "footnote", footnoteDefinition, interrupts);
  md.block.ruler.before("reference", "nested_definition", nestedDefinition);

  md.inline.ruler.at("text", text);
  md.inline.ruler.before("strikethrough", "single", single);
  md.inline.ruler.before("strikethrough", "doubled", doubled);
  md.inline.ruler.before("link", "footnote_ref", footnoteReference);
  md.inline.ruler.before("autolink", "tag", tag);
  md.inline.ruler.push("emoji", emoji);
  md.inline.ruler2.after("emphasis", "pairs", pairs);
  return md;
}
