import { replaceInBlock, searchText } from "./edit/replace-text.ts";
import { findSection } from "./edit/section.ts";
import { splice } from "./edit/splice.ts";
import { withChildren } from "./edit/tree.ts";
import { CodecError } from "./error.ts";
import { normalize } from "./normalize.ts";
import type { DocJSON, NodeJSON } from "./types.ts";
import { isEmptyParagraph } from "./write/list.ts";

const normal = (doc: DocJSON): DocJSON => normalize(doc).doc;

// A document that says nothing is one empty paragraph, which makes room for what comes.
const isBlank = (doc: DocJSON): boolean => doc.content.every((node, index) => index === 0 && isEmptyParagraph(node));

// Each of these edits splices nodes, never text: an open fence or list cannot swallow what follows. Labels of
// footnotes that the document has already are renamed in the fragment. Everything outside of the edit stays the same,
// node for node and, once written, byte for byte. The result is in normal form.

/** The document with the fragment at its end. */
export function append(doc: DocJSON, fragment: DocJSON): DocJSON {
  const target = normal(doc);
  const blank = isBlank(target);
  return normal(splice(target, [], blank ? 0 : target.content.length, blank ? 1 : 0, normal(fragment)));
}

/** The document with the fragment at its beginning. */
export function prepend(doc: DocJSON, fragment: DocJSON): DocJSON {
  const target = normal(doc);
  return normal(splice(target, [], 0, isBlank(target) ? 1 : 0, normal(fragment)));
}

/**
 * The document with the fragment right after a heading: the first whose text is this, whatever the case and the
 * whitespace around.
 *
 * @throws CodecError `HEADING_NOT_FOUND`
 */
export function insertAfterHeading(doc: DocJSON, heading: string, fragment: DocJSON): DocJSON {
  const target = normal(doc);
  const section = findSection(target, heading);
  return normal(splice(target, section.parent, section.heading + 1, 0, normal(fragment)));
}

/**
 * The document with the fragment in place of what stands between a heading and the next one of the same or a higher
 * level; the heading stays. Footnotes defined there that others refer to stay too.
 *
 * @throws CodecError `HEADING_NOT_FOUND`
 */
export function replaceSection(doc: DocJSON, heading: string, fragment: DocJSON): DocJSON {
  const target = normal(doc);
  const { parent, heading: index, end } = findSection(target, heading);
  return normal(splice(target, parent, index + 1, end - index - 1, normal(fragment)));
}

interface Match {
  readonly path: readonly number[];
  readonly block: NodeJSON;
  readonly start: number;
}

/**
 * The document with a text replaced that occurs exactly once. The text is searched as a reader sees it, within one
 * paragraph, heading, cell or code block: marks do not interrupt it, a hard break is a line feed, an image or a
 * reference to a footnote never matches. The new text is plain text with the marks of the first character that it
 * replaces; a line feed in it is a hard break (in a code block a line end).
 *
 * @throws CodecError `TEXT_NOT_FOUND`, with `count` 0 or more than 1
 */
export function replaceText(doc: DocJSON, oldText: string, newText: string): DocJSON {
  const target = normal(doc);
  const matches: Match[] = [];
  findText(target, [], oldText, matches);
  const [match, ...others] = matches;
  if (match === undefined || others.length > 0) {
    const count = matches.length;
    throw new CodecError("TEXT_NOT_FOUND", `The text occurs ${count} times, and it has to occur once.`, { count });
  }
  const block = replaceInBlock(match.block, match.start, oldText.length, newText);
  return normal(withChildren(target, match.path, block.content ?? []));
}

function findText(node: NodeJSON, path: readonly number[], text: string, matches: Match[]): void {
  node.content?.forEach((child, index) => {
    const here = [...path, index];
    if (child.type !== "paragraph" && child.type !== "heading" && child.type !== "codeBlock") {
      findText(child, here, text, matches);
      return;
    }
    const content = searchText(child);
    // Matches that overlap count too: "aa" occurs twice in "aaa".
    for (let start = content.indexOf(text); text !== "" && start !== -1; start = content.indexOf(text, start + 1)) {
      matches.push({ path: here, block: child, start });
    }
  });
}
