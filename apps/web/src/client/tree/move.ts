import type { QueryClient } from "@tanstack/react-query";
import type { Target } from "../actions/target.ts";
import { call } from "../api/call.ts";
import type { TreeLevel, TreeNode } from "../api/contract.ts";
import { isBehindRest, type Level } from "./level-pages.ts";
import { levelKey, treeKey } from "./level-queries.ts";
import { withNodeAfter, withoutNode } from "./levels.ts";
import type { LevelPlace } from "./rows.ts";

/** A place for a document: below a parent, directly after a sibling; first with null. */
export type Destination = LevelPlace & { readonly after: string | null };

type Levels = readonly (readonly [readonly unknown[], TreeLevel | undefined])[];

/** The moves under way. Read again between them, a level would show an order that the next one has changed already. */
let moving = 0;

/**
 * Moves a document. The tree shows it at its new place at once, and at the old one again if the service refuses.
 * @throws {Failure} if the service refused
 */
export async function moveDocument(queries: QueryClient, target: Target, destination: Destination): Promise<void> {
  const { collectionId, parentId, after } = destination;
  await queries.cancelQueries({ queryKey: [treeKey] });
  const before: Levels = queries.getQueriesData<TreeLevel>({ queryKey: [treeKey] });
  showMove(queries, before, target, destination);
  moving += 1;
  try {
    await call("documents.update", {
      id: target.id,
      // Names the collection in every case: moving to its top level has no parent that would tell it.
      collectionId,
      parentDocumentId: parentId,
      after,
      return: "minimal",
    });
  } catch (error) {
    for (const [key, level] of before) queries.setQueryData(key, level);
    throw error;
  } finally {
    moving -= 1;
    if (moving === 0) void queries.invalidateQueries();
  }
}

function showMove(queries: QueryClient, levels: Levels, target: Target, destination: Destination): void {
  const node = nodeOf(levels, target.id);
  if (node === undefined) return;
  for (const [key, level] of levels) {
    if (level?.data.some(({ id }) => id === target.id)) queries.setQueryData(key, withoutNode(level, target.id));
  }
  const left =
    target.collectionId === null ? undefined : { collectionId: target.collectionId, parentId: node.parentId };
  if (left !== undefined && queries.getQueryData<TreeLevel>(levelKey(left))?.data.length === 0) {
    setHasChildren(queries, left.parentId, false);
  }
  queries.setQueryData<TreeLevel>(
    levelKey(destination),
    (level) => level && withNodeAfter(level, node, destination.after),
  );
  setHasChildren(queries, destination.parentId, true);
}

const nodeOf = (levels: Levels, id: string): TreeNode | undefined =>
  levels.flatMap(([, level]) => level?.data ?? []).find((node) => node.id === id);

function setHasChildren(queries: QueryClient, id: string | null, hasChildren: boolean): void {
  for (const [key, level] of queries.getQueriesData<TreeLevel>({ queryKey: [treeKey] })) {
    if (level?.data.some((node) => node.id === id) !== true) continue;
    const data = level.data.map((node) => (node.id === id ? { ...node, hasChildren } : node));
    queries.setQueryData(key, { ...level, data });
  }
}

/** Returns the place one step up or down among the siblings; undefined at the end, and where the neighbor is not loaded. */
export function placeBeside(level: Level, place: LevelPlace, id: string, step: -1 | 1): Destination | undefined {
  const index = level.data.findIndex((node) => node.id === id);
  const lower = level.data[step === 1 ? index + 1 : index];
  if (index < 0 || lower === undefined || level.data[index + step] === undefined) return undefined;
  // The one before it in the tree is not its neighbor: it would pass all that lie between.
  if (isBehindRest(level, lower)) return undefined;
  const after = level.data[step === 1 ? index + 1 : index - 2]?.id ?? null;
  return { ...place, after };
}
