import { budgetFor } from "./diff/lines.ts";
import { stillNeeded, withoutLabels } from "./edit/footnotes.ts";
import { walk } from "./edit/tree.ts";
import { foldLabel } from "./label.ts";
import { BlockMerge } from "./merge/blocks.ts";
import { Keys } from "./merge/keys.ts";
import { normalize } from "./normalize.ts";
import type { DocJSON, MergeResult, NodeJSON } from "./types.ts";

/** What a merge has to know about the documents that it merges. */
export interface MergeRules {
  /** The normal form of a document, in which it is merged. */
  readonly normalize: (doc: DocJSON) => DocJSON;
  /** True for a node whose parts are not merged: where both sides changed it, both versions stay. */
  readonly isWhole: (node: NodeJSON) => boolean;
}

const PLAIN: MergeRules = { normalize: (doc) => normalize(doc).doc, isWhole: () => false };

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
  return mergeBy(PLAIN, base, mine, theirs);
}

/** `merge` for documents with other nodes than those of this package. */
export function mergeBy(rules: MergeRules, base: DocJSON, mine: DocJSON, theirs: DocJSON): MergeResult {
  const old = rules.normalize(base);
  const one = rules.normalize(mine);
  const other = withOwnLabels(rules.normalize(theirs), old, one);
  const keys = new Keys();
  const blocks = new BlockMerge(keys, budgetFor(sizeOf(old) + sizeOf(one) + sizeOf(other)), rules.isWhole);
  const merged = blocks.children({ base: old, mine: one, theirs: other }, []);
  const here = footnotesOf(merged);
  const removed = [...old.content, ...one.content, ...other.content].filter(
    ({ type, attrs }) => type === "footnoteDefinition" && !here.has(foldLabel(String(attrs?.label))),
  );
  // A footnote that one side removed and the other refers to.
  const needed = stillNeeded(removed, merged);
  const names = new Set<string>();
  const notes = needed.filter((node) => !names.has(keys.of(node)) && names.add(keys.of(node)));
  return { doc: rules.normalize({ type: "doc", content: [...merged, ...notes] }), conflicts: blocks.conflicts };
}

// In cells, too: a table with blocks in its cells can hold one.
function footnotesOf(content: NodeJSON[]): Set<string> {
  const labels = new Set<string>();
  walk(content, (node) => {
    if (node.type === "footnoteDefinition") labels.add(labelOf(node));
  });
  return labels;
}

// A footnote that both sides added under one label is two footnotes.
function withOwnLabels(theirs: DocJSON, base: DocJSON, mine: DocJSON): DocJSON {
  const old = footnotesOf(base.content);
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
