import type { Node } from "prosemirror-model";
import type { ComparisonBudget, DifferingRun } from "./align.ts";

const MOST_TEXT = 500;
const WORD = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[\p{L}\p{M}\p{N}]+/gu;

/** The indexes of two children that are versions of one block. */
export interface Pair {
  readonly before: number;
  readonly after: number;
}

/** Finds out which children of a differing run are versions of each other; both indexes rise. */
export function pairsOf(before: Node, after: Node, run: DifferingRun, budget: ComparisonBudget): readonly Pair[] {
  const isSingle = run.before.to - run.before.from === 1 && run.after.to - run.after.from === 1;
  const pairs: Pair[] = [];
  const words = new WeakMap<Node, ReadonlySet<string>>();
  let next = run.after.from;
  for (let index = run.before.from; index < run.before.to; index++) {
    for (let candidate = next; candidate < run.after.to; candidate++) {
      const old = before.child(index);
      const other = after.child(candidate);
      budget.left -= 1;
      if (budget.left < 0) return pairs;
      if (!isSingle && !areSimilar(old, other, (node) => wordsOf(node, words, budget))) continue;
      if (!canBecome(old, other)) continue;
      pairs.push({ before: index, after: candidate });
      next = candidate + 1;
      break;
    }
  }
  return pairs;
}

/** Only blocks of text change their type in place. */
function canBecome(old: Node, next: Node): boolean {
  if (old.isText || next.isText || old.isLeaf !== next.isLeaf) return false;
  if (old.type === next.type) return old.marks.length === 0 && next.marks.length === 0;
  return old.isTextblock && next.isTextblock && next.type.validContent(old.content);
}

/** True where two blocks share at least half of the words of the shorter one. */
function areSimilar(old: Node, next: Node, words: (node: Node) => ReadonlySet<string>): boolean {
  const one = words(old);
  const other = words(next);
  if (one.size === 0 || other.size === 0) return old.type === next.type && one.size === other.size;
  let shared = 0;
  for (const word of one) if (other.has(word)) shared++;
  return 2 * shared >= Math.min(one.size, other.size);
}

function wordsOf(node: Node, known: WeakMap<Node, ReadonlySet<string>>, budget: ComparisonBudget): ReadonlySet<string> {
  const found = known.get(node);
  budget.left -= 10;
  if (found !== undefined) return found;
  const words = new Set<string>();
  // The beginning tells enough, however long the block is.
  const text = node.textBetween(0, Math.min(node.content.size, MOST_TEXT), " ");
  for (const [word] of text.matchAll(WORD)) words.add(word);
  budget.left -= text.length;
  known.set(node, words);
  return words;
}
