import type { Node } from "prosemirror-model";
import type { Transaction } from "prosemirror-state";

/** A passage that was found. */
export type Match = { readonly from: number; readonly to: number };

/** The most passages that are found: replacing all of them is still one change that the service takes. */
const mostMatches = 2_000;

/** Returns the passages of a document that are a text, each within one block; at most 2,000. */
export function findText(doc: Node, text: string, isExact: boolean): Match[] {
  const found: Match[] = [];
  if (text === "") return found;
  const pattern = new RegExp(text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"), isExact ? "gu" : "giu");
  doc.descendants((node, position) => {
    if (!node.isTextblock) return found.length < mostMatches;
    // One character stands for each thing that is no text.
    const content = node.textBetween(0, node.content.size, null, "\ufffc");
    for (const { index, 0: match } of content.matchAll(pattern)) {
      if (found.length === mostMatches) break;
      const from = position + 1 + index;
      found.push({ from, to: from + match.length });
    }
    return false;
  });
  return found;
}

/** Puts a text in the place of passages, with the marks of what was there. */
export function replaceMatches(transaction: Transaction, matches: readonly Match[], text: string): Transaction {
  for (const { from, to } of matches.toReversed()) {
    if (text === "") transaction.delete(from, to);
    else transaction.insertText(text, from, to);
  }
  return transaction;
}

/** Returns the index of the first passage from a position on, or of the first of all; -1 where there is none. */
export function matchFrom(matches: readonly Match[], position: number): number {
  const next = matches.findIndex(({ from }) => from >= position);
  return next === -1 ? Math.min(0, matches.length - 1) : next;
}
