import MarkdownIt from "markdown-it";
import { isSafeUrl } from "../url.ts";
import { cellParagraphs, emptyParagraphs, headingIds } from "./blocks.ts";
import { doubled, pairs, single } from "./delimiters.ts";
import { emoji } from "./emoji-rule.ts";
import { footnoteDefinition, footnoteReference, nestedDefinition } from "./footnote.ts";
import { finishInline } from "./inline.ts";
import { emptyContainers, nesting } from "./nesting.ts";
import { watchReferences } from "./references.ts";
import { imageTag, tag } from "./tag.ts";
import { tasks } from "./task.ts";
import { text } from "./text-rule.ts";

const INLINE_NESTING = 32;

const identity = (url: string): string => url;

/**
 * markdown-it with the syntax of this package. URLs stay as they are written; `containers` is how deep blocks may
 * nest, and markdown-it's own limit lies above it.
 */
export function createTokenizer(containers: number): MarkdownIt {
  const md = new MarkdownIt();
  const setNesting = (maxNesting: number) => (): void => {
    Object.assign(md.options, { maxNesting });
  };
  md.normalizeLink = identity;
  md.normalizeLinkText = identity;
  md.validateLink = isSafeUrl;
  md.disable(["html_block", "html_inline", "linkify", "replacements", "smartquotes"]);

  const interrupts = { alt: ["paragraph", "reference", "blockquote", "list"] };
  md.block.ruler.before("table", "nesting", nesting);
  md.block.ruler.before("reference", "footnote", footnoteDefinition, interrupts);
  md.block.ruler.before("reference", "nested_definition", nestedDefinition);

  md.inline.ruler.at("text", text);
  md.inline.ruler.before("strikethrough", "single", single);
  md.inline.ruler.before("strikethrough", "doubled", doubled);
  md.inline.ruler.before("link", "footnote_ref", footnoteReference);
  md.inline.ruler.before("autolink", "tag", tag);
  md.inline.ruler.before("autolink", "image_tag", imageTag);
  md.inline.ruler.push("emoji", emoji);
  md.inline.ruler2.after("emphasis", "pairs", pairs);

  // One option of markdown-it limits both blocks and brackets. Each bracket costs as many steps as it allows.
  md.core.ruler.before("block", "block_nesting", setNesting(containers + 10));
  md.core.ruler.before("inline", "watch_references", watchReferences);
  md.core.ruler.before("inline", "inline_nesting", setNesting(INLINE_NESTING));
  md.core.ruler.after("block", "empty_containers", emptyContainers);
  md.core.ruler.after("empty_containers", "heading_ids", headingIds);
  md.core.ruler.after("heading_ids", "tasks", tasks);
  md.core.ruler.after("tasks", "empty_paragraphs", emptyParagraphs);
  md.core.ruler.after("empty_paragraphs", "cell_paragraphs", cellParagraphs);
  md.core.ruler.push("finish_inline", finishInline);
  return md;
}
