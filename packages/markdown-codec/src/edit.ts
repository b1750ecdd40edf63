import { readFragment, readRows } from "./edit/fragment.ts";
import { findSection, withoutHeading } from "./edit/section.ts";
import { splice } from "./edit/splice.ts";
import { nodeAt, withChildren } from "./edit/tree.ts";
import { normalize } from "./normalize.ts";
import type { DocJSON, NodeJSON, ParseOptions } from "./types.ts";
import { isEmptyParagraph } from "./write/list.ts";

const normal = (doc: DocJSON): DocJSON => normalize(doc).doc;

// An empty document is one empty paragraph, which the inserted blocks replace.
const isBlank = (doc: DocJSON): boolean => doc.content.every((node, index) => index === 0 && isEmptyParagraph(node));

// Each of these edits splices nodes, never text: an open fence or list cannot swallow what follows. Items beside a list
// of the same kind, and rows beside a table, become a part of it. Labels of footnotes that the document has already are
// renamed in the fragment. Everything outside of the edit stays the same, node for node and, once written, byte for
// byte. The result is in normal form. A fragment is a document or Markdown, to which the options apply.

/** The document with the fragment at its end. */
export function append(doc: DocJSON, fragment: DocJSON | string, options: ParseOptions = {}): DocJSON {
  const target = normal(doc);
  let last = target.content.length - 1;
  while (target.content[last]?.type === "footnoteDefinition") last--;
  const rows = readRows(fragment, target.content[last], options);
  if (rows) return normal(withRows(target, [last], rows, Number.POSITIVE_INFINITY));
  const blank = isBlank(target);
  const start = blank ? 0 : target.content.length;
  return normal(splice(target, [], start, blank ? 1 : 0, readFragment(fragment, options)));
}

/** The document with the fragment at its beginning, after its front matter. */
export function prepend(doc: DocJSON, fragment: DocJSON | string, options: ParseOptions = {}): DocJSON {
  const target = normal(doc);
  const start = target.content[0]?.attrs?.kind === "frontMatter" ? 1 : 0;
  return insertAt(target, [], start, isBlank(target) ? 1 : 0, fragment, options);
}

/**
 * The document with the fragment right after a heading: the first whose text is this, whatever the case and the
 * whitespace around. `## text` names its level too, `#anchor` its address.
 *
 * @throws CodecError `HEADING_NOT_FOUND`
 */
export function insertAfterHeading(
  doc: DocJSON,
  heading: string,
  fragment: DocJSON | string,
  options: ParseOptions = {},
): DocJSON {
  const target = normal(doc);
  const section = findSection(target, heading);
  return insertAt(target, section.parent, section.heading + 1, 0, fragment, options);
}

// Rows before a table are its first ones below the header.
function insertAt(
  target: DocJSON,
  path: readonly number[],
  start: number,
  count: number,
  fragment: DocJSON | string,
  options: ParseOptions,
): DocJSON {
  const rows = readRows(fragment, nodeAt(target, [...path, start + count]), options);
  if (rows) return normal(withRows(target, [...path, start + count], rows, 1));
  return normal(splice(target, path, start, count, readFragment(fragment, options)));
}

function withRows(doc: DocJSON, path: readonly number[], rows: readonly NodeJSON[], at: number): DocJSON {
  const own = nodeAt(doc, path)?.content ?? [];
  return withChildren(doc, path, [...own.slice(0, at), ...rows, ...own.slice(at)]);
}

/**
 * The document with the fragment in place of what stands between a heading (named as for `insertAfterHeading`) and the
 * next one of the same or a higher level; the heading stays, and is not doubled by a fragment that begins with it.
 * Footnotes defined there that others refer to stay too.
 *
 * @throws CodecError `HEADING_NOT_FOUND`
 */
export function replaceSection(
  doc: DocJSON,
  heading: string,
  fragment: DocJSON | string,
  options: ParseOptions = {},
): DocJSON {
  const target = normal(doc);
  const section = findSection(target, heading);
  const { parent, heading: index, end } = section;
  const blocks = withoutHeading(target, section, readFragment(fragment, options));
  return normal(splice(target, parent, index + 1, end - index - 1, blocks));
}
