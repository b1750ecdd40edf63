import type { TreeLevel, TreeNode } from "../api/contract.ts";

/** Orders documents as the service does: by their order, then by id. */
export function compareNodes(one: TreeNode, other: TreeNode): number {
  return one.sortOrder - other.sortOrder || (one.id < other.id ? -1 : Number(one.id > other.id));
}

/** Adds documents to a level. A document that is there already is replaced; the rows stay in their order. */
export function withNodes(level: TreeLevel, nodes: readonly TreeNode[], nextCursor = level.nextCursor): TreeLevel {
  const byId = new Map(level.data.map((node) => [node.id, node]));
  for (const node of nodes) byId.set(node.id, node);
  return { ...level, data: [...byId.values()].sort(compareNodes), nextCursor };
}

/** Takes a document out of a level. */
export function withoutNode(level: TreeLevel, id: string): TreeLevel {
  return { ...level, data: level.data.filter((node) => node.id !== id) };
}

/** Puts a document directly after a sibling, or first with null, by an order between those of its neighbors. */
export function withNodeAfter(level: TreeLevel, node: TreeNode, after: string | null): TreeLevel {
  const others = level.data.filter(({ id }) => id !== node.id);
  const place = after === null ? 0 : others.findIndex(({ id }) => id === after) + 1;
  const before = others[place - 1]?.sortOrder;
  const next = others[place]?.sortOrder;
  const moved = { ...node, parentId: level.parentId, sortOrder: orderBetween(before, next) };
  return { ...level, data: [...others.slice(0, place), moved, ...others.slice(place)] };
}

function orderBetween(before: number | undefined, next: number | undefined): number {
  if (before === undefined) return next === undefined ? 0 : next - 1;
  return next === undefined ? before + 1 : (before + next) / 2;
}
