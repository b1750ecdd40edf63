import { stillNeeded } from "./edit/footnotes.ts";
import { findSection } from "./edit/section.ts";
import { nodeAt } from "./edit/tree.ts";
import { normalize } from "./normalize.ts";
import type { DocJSON } from "./types.ts";

/**
 * A section as a document of its own: the first heading with this text, whatever the case and the whitespace around, what
 * stands below it up to the next heading of the same or a higher level, and the footnotes that it refers to.
 *
 * @throws CodecError `HEADING_NOT_FOUND`
 */
export function section(doc: DocJSON, heading: string): DocJSON {
  const whole = normalize(doc).doc;
  const { parent, heading: start, end } = findSection(whole, heading);
  const blocks = (nodeAt(whole, parent)?.content ?? []).slice(start, end);
  const inside = new Set(blocks);
  const outside = whole.content.filter((node) => !inside.has(node));
  return normalize({ type: "doc", content: [...blocks, ...stillNeeded(outside, blocks)] }).doc;
}
