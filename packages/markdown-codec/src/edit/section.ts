import { CodecError } from "../error.ts";
import { PageIds } from "../html/ids.ts";
import { outline } from "../outline.ts";
import { parseMarkdown } from "../parse.ts";
import { requireText } from "../shape.ts";
import { textOf } from "../text.ts";
import type { DocJSON, NodeJSON, OutlineEntry } from "../types.ts";
import { nodeAt } from "./tree.ts";

/** Where a section lies among its siblings: the heading itself, and the end of its content (exclusive). */
export interface Section {
  readonly parent: readonly number[];
  readonly heading: number;
  readonly end: number;
}

/** A text of a heading as it is compared: whatever the case and the whitespace. */
export const folded = (text: string): string => text.trim().replace(/\s+/g, " ").toLowerCase();

/**
 * The section of the first heading with this text, whatever the case and the spaces around. The heading may also be
 * given as it is written (`## text`) or by its address (`#anchor`). Throws HEADING_NOT_FOUND.
 */
export function findSection(doc: DocJSON, heading: string): Section {
  requireText(heading, "the heading");
  const entry = findHeading(doc, heading);
  if (entry === undefined) throw new CodecError("HEADING_NOT_FOUND", `There is no heading "${heading}".`);
  const parent = entry.path.slice(0, -1);
  const index = entry.path.at(-1) ?? 0;
  const siblings = nodeAt(doc, parent)?.content ?? [];
  const next = siblings.findIndex(
    (node, at) => at > index && node.type === "heading" && Number(node.attrs?.level ?? 1) <= entry.level,
  );
  return { parent, heading: index, end: next === -1 ? siblings.length : next };
}

function findHeading(doc: DocJSON, heading: string): OutlineEntry | undefined {
  const entries = outline(doc);
  const byText = entries.find(({ text }) => folded(text) === folded(heading));
  return byText ?? findWritten(entries, heading) ?? findAnchor(doc, entries, heading.trim());
}

// As Markdown: "## text" names the level too, and marks, escapes and ids are no part of the text.
function findWritten(entries: readonly OutlineEntry[], heading: string): OutlineEntry | undefined {
  const isLine = /^ *#{1,6}[ \t]/.test(heading);
  const line = isLine ? heading : `# ${heading.trim()}`;
  // The caller need not say how the document was read.
  return findRead(entries, readHeading(line, false), isLine) ?? findRead(entries, readHeading(line, true), isLine);
}

function findRead(
  entries: readonly OutlineEntry[],
  written: OutlineEntry | undefined,
  isLine: boolean,
): OutlineEntry | undefined {
  if (written === undefined) return undefined;
  const { level, text, id } = written;
  const same = entries.filter((entry) => folded(entry.text) === folded(text) && (!isLine || entry.level === level));
  return same.find((entry) => id !== null && entry.id === id) ?? same[0];
}

function readHeading(markdown: string, cjkFriendly: boolean): OutlineEntry | undefined {
  try {
    const doc = parseMarkdown(markdown.trim(), { cjkFriendly });
    return doc.content.length === 1 ? outline(doc)[0] : undefined;
  } catch (error) {
    if (error instanceof CodecError) return undefined;
    throw error;
  }
}

function findAnchor(doc: DocJSON, entries: readonly OutlineEntry[], anchor: string): OutlineEntry | undefined {
  if (!/^#[^\s#]/.test(anchor)) return undefined;
  const wanted = decoded(anchor.slice(1));
  const anchors = anchorsOf(doc, entries);
  const exact = anchors.indexOf(wanted);
  return entries[exact === -1 ? anchors.findIndex((id) => id.toLowerCase() === wanted.toLowerCase()) : exact];
}

/** The ids that a page gives to the headings of a document. */
export function anchorsOf(doc: DocJSON, entries: readonly OutlineEntry[]): readonly string[] {
  const ids = new PageIds(doc);
  return entries.map(({ id, text }) => (id === null ? ids.slug(text) : ids.heading(id)));
}

function decoded(anchor: string): string {
  try {
    return decodeURIComponent(anchor);
  } catch {
    return anchor;
  }
}

/** The blocks without the heading of the section, where they begin with it once more. */
export function withoutHeading(doc: DocJSON, { parent, heading }: Section, fragment: DocJSON): DocJSON {
  const [first, ...rest] = fragment.content;
  const own = nodeAt(doc, [...parent, heading]);
  if (first?.type !== "heading" || own === undefined || !repeats(first, own)) return fragment;
  return { ...fragment, content: rest.length === 0 ? [{ type: "paragraph" }] : rest };
}

// A deeper heading of the same words may be a part of the section.
function repeats(first: NodeJSON, own: NodeJSON): boolean {
  const levelOf = ({ attrs }: NodeJSON): number => Number(attrs?.level ?? 1);
  return levelOf(first) <= levelOf(own) && folded(textOf(first)) === folded(textOf(own));
}
