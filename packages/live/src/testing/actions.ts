import { Fragment, type Node, type NodeType, Slice } from "prosemirror-model";
import type { Transaction } from "prosemirror-state";
import { canJoin, canSplit, findWrapping, liftTarget } from "prosemirror-transform";
import type { Random } from "./random.ts";

/** Changes a transaction at random places. Leaves it as it is where the place does not allow the change. */
type Action = (transaction: Transaction, random: Random, write: () => string) => void;

const MARKS = ["bold", "italic", "code", "strike"];

/** The actions of typists, with their frequencies. */
const actions: readonly (readonly [weight: number, action: Action])[] = [
  [10, typeText],
  [3, deleteText],
  [2, deleteAcross],
  [1, deleteBlock],
  [2, replaceText],
  [2, splitBlock],
  [1, joinBlocks],
  [1, toggleMark],
  [1, wrapBlock],
  [1, liftBlock],
  [1, changeType],
  [1, changeAttribute],
  [2, pasteBlocks],
];

const total = actions.reduce((sum, [weight]) => sum + weight, 0);

/** Makes one random change. */
export function act(transaction: Transaction, random: Random, write: () => string): void {
  let left = random.below(total);
  for (const [weight, action] of actions) {
    left -= weight;
    if (left < 0) {
      action(transaction, random, write);
      return;
    }
  }
}

function typeText(transaction: Transaction, random: Random, write: () => string): void {
  const position = textPosition(transaction.doc, random);
  if (position === null) return;
  const length = 1 + random.below(4);
  // One step for each key.
  for (let index = 0; index < length; index++) transaction.insertText(write(), position + index);
}

function deleteText(transaction: Transaction, random: Random): void {
  const block = random.pick(textblocks(transaction.doc));
  if (block === undefined || block.size === 0) return;
  const from = block.start + random.below(block.size);
  transaction.delete(from, Math.min(block.start + block.size, from + 1 + random.below(8)));
}

function deleteAcross(transaction: Transaction, random: Random): void {
  const one = textPosition(transaction.doc, random);
  const other = textPosition(transaction.doc, random);
  if (one === null || other === null) return;
  const [from, to] = one < other ? ([one, other] as const) : ([other, one] as const);
  if (random.chance(0.5)) transaction.delete(from, to);
  else transaction.deleteRange(from, to);
}

function deleteBlock(transaction: Transaction, random: Random): void {
  const { doc } = transaction;
  const found = random.pick(nodesOf(doc, (node) => node.isBlock));
  if (found === undefined) return;
  transaction.deleteRange(found.position, found.position + found.node.nodeSize);
}

function replaceText(transaction: Transaction, random: Random, write: () => string): void {
  const block = random.pick(textblocks(transaction.doc));
  if (block === undefined) return;
  const from = block.start + random.below(block.size + 1);
  transaction.insertText(write() + write(), from, Math.min(block.start + block.size, from + random.below(6)));
}

function splitBlock(transaction: Transaction, random: Random): void {
  const position = textPosition(transaction.doc, random);
  if (position === null) return;
  const depth = 1 + random.below(2);
  if (canSplit(transaction.doc, position, depth)) transaction.split(position, depth);
}

function joinBlocks(transaction: Transaction, random: Random): void {
  const { doc } = transaction;
  const found = random.pick(nodesOf(doc, (node) => node.isBlock));
  if (found === undefined || !canJoin(doc, found.position)) return;
  const { nodeBefore, nodeAfter } = doc.resolve(found.position);
  if (nodeBefore?.type === nodeAfter?.type) transaction.join(found.position);
}

function toggleMark(transaction: Transaction, random: Random): void {
  const block = random.pick(textblocks(transaction.doc));
  const mark = random.pick(MARKS);
  if (block === undefined || mark === undefined) return;
  const type = transaction.doc.type.schema.marks[mark];
  const from = block.start + random.below(block.size + 1);
  const to = Math.min(block.start + block.size, from + 1 + random.below(10));
  if (type === undefined || from >= to) return;
  if (transaction.doc.rangeHasMark(from, to, type)) transaction.removeMark(from, to, type);
  else transaction.addMark(from, to, type.create());
}

function wrapBlock(transaction: Transaction, random: Random): void {
  const range = blockRange(transaction, random);
  const type = nodeType(transaction, random.pick(["blockquote", "bulletList", "orderedList"]));
  if (range === null || type === null) return;
  const wrapping = findWrapping(range, type);
  if (wrapping !== null) transaction.wrap(range, wrapping);
}

function liftBlock(transaction: Transaction, random: Random): void {
  const range = blockRange(transaction, random);
  const target = range === null ? null : liftTarget(range);
  if (range !== null && target !== null) transaction.lift(range, target);
}

function changeType(transaction: Transaction, random: Random): void {
  const position = textPosition(transaction.doc, random);
  const type = nodeType(transaction, random.pick(["heading", "paragraph", "codeBlock"]));
  if (position !== null && type !== null) transaction.setBlockType(position, position, type);
}

function changeAttribute(transaction: Transaction, random: Random): void {
  const found = random.pick(nodesOf(transaction.doc, (node) => node.type.name === "heading"));
  if (found !== undefined) transaction.setNodeAttribute(found.position, "level", 1 + random.below(6));
}

function pasteBlocks(transaction: Transaction, random: Random, write: () => string): void {
  const position = textPosition(transaction.doc, random);
  if (position === null) return;
  const { schema } = transaction.doc.type;
  const blocks = Array.from({ length: 1 + random.below(3) }, () =>
    schema.node("paragraph", null, [schema.text(write() + write())]),
  );
  const open = random.below(2);
  transaction.replaceRange(position, position, new Slice(Fragment.fromArray(blocks), open, open));
}

function blockRange(transaction: Transaction, random: Random): ReturnType<ReturnType<Node["resolve"]>["blockRange"]> {
  const position = textPosition(transaction.doc, random);
  return position === null ? null : transaction.doc.resolve(position).blockRange();
}

function nodeType(transaction: Transaction, name: string | undefined): NodeType | null {
  return transaction.doc.type.schema.nodes[name ?? ""] ?? null;
}

function textPosition(doc: Node, random: Random): number | null {
  const block = random.pick(textblocks(doc));
  return block === undefined ? null : block.start + random.below(block.size + 1);
}

function textblocks(doc: Node): readonly { readonly start: number; readonly size: number }[] {
  return nodesOf(doc, (node) => node.isTextblock).map(({ node, position }) => ({
    start: position + 1,
    size: node.content.size,
  }));
}

function nodesOf(doc: Node, isWanted: (node: Node) => boolean): readonly { node: Node; position: number }[] {
  const found: { node: Node; position: number }[] = [];
  doc.descendants((node, position) => {
    if (isWanted(node)) found.push({ node, position });
  });
  return found;
}
