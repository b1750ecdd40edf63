import { budgetFor } from "./diff/lines.ts";
import { stillNeeded, withoutLabels } from "./edit/footnotes.ts";
import { foldLabel } from "./label.ts";
import { BlockMerge } from "./merge/blocks.ts";
import { Keys } from "./merge/keys.ts";
import { definedFootnotes } from "./normal/document.ts";
import { normalize } from "./normalize.ts";
import type { DocJSON, MergeResult, NodeJSON } from "./types.ts";

/**
 * Merges what two sides made of one document: block by block, then within blocks word by word (code line by line, tables
 * cell by cell). No text of a side is lost: where both changed the same words, or one changed what the other removed, the
 * versions stand one after the other, mine first, and are reported as a conflict. Additions at the same place are both
 * kept, which is no conflict. Takes time in proportion to the documents: where they differ in very many places, whole
 * blocks are compared.
 *
 * @throws CodecError `INVALID_DOC`, `INLINE_IMAGE`, `NESTING`, `LIMIT`
 */
export function merge(base: DocJSON, mine: DocJSON, theirs: DocJSON): MergeResult {
  const old = normalize(base).doc;
  const one = normalize(mine).doc;
  const other = withOwnLabels(normalize(theirs).doc, old, one);
  const keys = new Keys();
  const blocks = new BlockMerge(keys, budgetFor(sizeOf(old) + sizeOf(one) + sizeOf(other)));
  const merged = blocks.children({ base: old, mine: one, theirs: other }, []);
  const here = new Set(definedFootnotes({ type: "doc", content: merged }));
  const removed = [...old.content, ...one.content, ...other.content].filter(
    ({ type, attrs }) => type === "footnoteDefinition" && !here.has(foldLabel(String(attrs?.label))),
  );
  // A footnote that one side removed and the other refers to.
  const needed = stillNeeded(removed, merged);
  const names = new Set<string>();
  const notes = needed.filter((node) => !names.has(keys.of(node)) && names.add(keys.of(node)));
  return { doc: normalize({ type: "doc", content: [...merged, ...notes] }).doc, conflicts: blocks.conflicts };
}

// A footnote that both sides added under one label is two footnotes.
function withOwnLabels(theirs: DocJSON, base: DocJSON, mine: DocJSON): DocJSON {
  const old = definedFootnotes(base);
  const own = new Map<string, string>();
  for (const node of mine.content) if (node.type === "footnoteDefinition") own.set(labelOf(node), JSON.stringify(node));
  const clashes = theirs.content.filter((node) => {
    if (node.type !== "footnoteDefinition" || old.has(labelOf(node))) return false;
    const other = own.get(labelOf(node));
    return other !== undefined && other !== JSON.stringify(node);
  });
  if (clashes.length === 0) return theirs;
  const unwanted = new Set(clashes.map(labelOf));
  return { ...theirs, content: withoutLabels(theirs, unwanted, new Set([...own.keys(), ...old])) };
}

const labelOf = ({ attrs }: NodeJSON): string => foldLabel(String(attrs?.label ?? ""));

// Words and nodes, roughly.
function sizeOf(node: NodeJSON): number {
  let size = 1 + (node.text?.length ?? 0) / 4;
  for (const child of node.content ?? []) size += sizeOf(child);
  return size;
}
