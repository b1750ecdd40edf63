import { foldLabel } from "../label.ts";
import { definedFootnotes } from "../normalize.ts";
import type { DocJSON, NodeJSON } from "../types.ts";
import { walk } from "./tree.ts";

const labelOf = (node: NodeJSON): string => String(node.attrs?.label ?? "");

/** The blocks of a fragment, its footnotes renamed where the document has one of the same label. */
export function withFreeLabels(fragment: DocJSON, doc: DocJSON): readonly NodeJSON[] {
  const taken = definedFootnotes(doc);
  const own = definedFootnotes(fragment);
  const renamed = new Map<string, string>();
  for (const node of fragment.content) {
    const label = labelOf(node);
    const folded = foldLabel(label);
    if (node.type !== "footnoteDefinition" || !taken.has(folded) || renamed.has(folded)) continue;
    renamed.set(folded, freeLabel(label, taken, own));
  }
  return renamed.size === 0 ? fragment.content : fragment.content.map((node) => rename(node, renamed));
}

function freeLabel(label: string, taken: ReadonlySet<string>, own: Set<string>): string {
  let number = 2;
  while (taken.has(foldLabel(`${label}-${number}`)) || own.has(foldLabel(`${label}-${number}`))) number++;
  own.add(foldLabel(`${label}-${number}`));
  return `${label}-${number}`;
}

function rename(node: NodeJSON, renamed: ReadonlyMap<string, string>): NodeJSON {
  if (node.type === "footnoteReference" || node.type === "footnoteDefinition") {
    const label = renamed.get(foldLabel(labelOf(node)));
    if (label !== undefined) return renameChildren({ ...node, attrs: { ...node.attrs, label } }, renamed);
  }
  return renameChildren(node, renamed);
}

function renameChildren(node: NodeJSON, renamed: ReadonlyMap<string, string>): NodeJSON {
  return node.content ? { ...node, content: node.content.map((child) => rename(child, renamed)) } : node;
}

/** Of the blocks that an edit removes, the footnotes that what remains refers to. */
export function stillNeeded(removed: readonly NodeJSON[], remaining: readonly NodeJSON[]): readonly NodeJSON[] {
  const definitions = removed.filter((node) => node.type === "footnoteDefinition");
  if (definitions.length === 0) return [];
  const wanted = new Set<string>();
  const want = (nodes: readonly NodeJSON[]): void =>
    walk(nodes, (node) => {
      if (node.type === "footnoteReference") wanted.add(foldLabel(labelOf(node)));
    });
  want(remaining);
  const kept = new Set<NodeJSON>();
  // A footnote that stays may refer to another one.
  for (let size = -1; size < kept.size; ) {
    size = kept.size;
    for (const node of definitions) {
      if (kept.has(node) || !wanted.has(foldLabel(labelOf(node)))) continue;
      kept.add(node);
      want([node]);
    }
  }
  return definitions.filter((node) => kept.has(node));
}
