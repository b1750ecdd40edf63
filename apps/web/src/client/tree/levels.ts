import type { TreeLevel, TreeNode } from "../api/contract.ts";

/** Orders documents as the service does: by their order, then by id. */
export function compareNodes(
  one: Pick<TreeNode, "sortOrder" | "id">,
  other: Pick<TreeNode, "sortOrder" | "id">,
): number {
  return one.sortOrder - other.sortOrder || (one.id < other.id ? -1 : Number(one.id > other.id));
}

/** Adds documents to a level. A document that is there already is replaced; the rows stay in their order. */
export function withNodes<Level extends TreeLevel>(level: Level, nodes: readonly TreeNode[]): Level {
  const byId = new Map(level.data.map((node) => [node.id, node]));
  for (const node of nodes) byId.set(node.id, node);
  return { ...level, data: [...byId.values()].sort(compareNodes) };
}

/** Takes a document out of a level. */
export function withoutNode<Level extends TreeLevel>(level: Level, id: string): Level {
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
