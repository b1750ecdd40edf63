import { CodecError } from "../error.ts";
import { foldLabel } from "../label.ts";
import { definedFootnotes } from "../normal/document.ts";
import type { DocJSON, NodeJSON } from "../types.ts";
import { walk } from "./tree.ts";

const labelOf = (node: NodeJSON): string => String(node.attrs?.label ?? "");

/** The blocks of a fragment, its footnotes renamed where the document has one of the same label. */
export function withFreeLabels(fragment: DocJSON, doc: DocJSON): NodeJSON[] {
  const taken = definedFootnotes(doc);
  return withoutLabels(fragment, taken, taken);
}

/** The blocks of a document, its footnotes with `unwanted` labels renamed to others than those that are taken. */
export function withoutLabels(
  fragment: DocJSON,
  unwanted: ReadonlySet<string>,
  taken: ReadonlySet<string>,
): NodeJSON[] {
  const own = definedFootnotes(fragment);
  const renamed = new Map<string, string>();
  walk(fragment.content, (node) => {
    if (node.type !== "footnoteDefinition") return;
    const label = labelOf(node);
    const folded = foldLabel(label);
    if (unwanted.has(folded) && !renamed.has(folded)) renamed.set(folded, freeLabel(label, taken, own));
  });
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

/** The footnotes in the blocks that an edit removes, at any depth, to which the remaining blocks refer. */
export function stillNeeded(removed: NodeJSON[], remaining: NodeJSON[]): NodeJSON[] {
  const byLabel = new Map<string, NodeJSON[]>();
  walk(removed, (node) => {
    if (node.type !== "footnoteDefinition") return;
    const label = foldLabel(labelOf(node));
    const definitions = byLabel.get(label);
    if (definitions === undefined) byLabel.set(label, [node]);
    else definitions.push(node);
  });
  if (byLabel.size === 0) return [];
  const kept = new Set<NodeJSON>();
  // A footnote that stays may refer to another one: each is looked at once.
  const waiting: NodeJSON[][] = [remaining];
  for (let nodes = waiting.pop(); nodes; nodes = waiting.pop()) {
    walk(nodes, (node) => {
      if (node.type !== "footnoteReference") return;
      const label = foldLabel(labelOf(node));
      const definitions = byLabel.get(label) ?? [];
      byLabel.delete(label);
      for (const definition of definitions) kept.add(definition);
      if (definitions.length > 0) waiting.push(definitions);
    });
  }
  return outermost(removed, kept);
}

/** Returns the nodes of a set in their order, without those that stand in another one. */
function outermost(nodes: NodeJSON[], kept: ReadonlySet<NodeJSON>): NodeJSON[] {
  return nodes.flatMap((node) => (kept.has(node) ? [node] : outermost(node.content ?? [], kept)));
}

const DEFINITION = /^[ >]*\[\^([^\]\s]+)\]:/gm;

/** The folded labels of the footnotes of a document, and of those that pieces of Markdown define. */
export function footnotesWith(doc: DocJSON, texts: readonly string[]): Set<string> {
  const labels = definedFootnotes(doc);
  for (const text of texts) {
    for (const [, label = ""] of text.matchAll(DEFINITION)) labels.add(foldLabel(label));
  }
  return labels;
}

/** Throws `UNSUPPORTED` where a footnote is gone that is still referred to: its references would become text. */
export function requireFootnotes(before: DocJSON, after: DocJSON): void {
  const now = definedFootnotes(after);
  const gone = new Set([...definedFootnotes(before)].filter((label) => !now.has(label)));
  if (gone.size === 0) return;
  walk(after.content, (node) => {
    if (node.type !== "footnoteReference" || !gone.has(foldLabel(labelOf(node)))) return;
    throw new CodecError("UNSUPPORTED", `The footnote [^${labelOf(node)}] is still referred to: remove that, too.`);
  });
}
