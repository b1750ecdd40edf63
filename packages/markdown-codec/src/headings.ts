import { anchorsOf, findSection, folded } from "./edit/section.ts";
import { outline } from "./outline.ts";
import type { DocJSON, HeadingEntry } from "./types.ts";

/**
 * The headings of a document, or of the section of a heading, in order, each with its address in the page. A repeated
 * heading has the text of one before it, whatever the case and the whitespace, and can be named by its address only.
 *
 * @throws CodecError `HEADING_NOT_FOUND`
 */
export function headings(doc: DocJSON, heading?: string): readonly HeadingEntry[] {
  const entries = outline(doc);
  const anchors = anchorsOf(doc, entries);
  const known = new Set<string>();
  const all = entries.map(({ level, text }, index) => {
    const name = folded(text);
    const repeated = known.has(name);
    known.add(name);
    return { level, text, anchor: `#${anchors[index]}`, repeated };
  });
  if (heading === undefined) return all;
  const { parent, heading: first, end } = findSection(doc, heading);
  return all.filter((_, index) => {
    const path = entries[index]?.path ?? [];
    const at = path[parent.length] ?? -1;
    return at >= first && at < end && parent.every((step, depth) => path[depth] === step);
  });
}
