import type { Actor, CollectionFacts } from "@kb/auth";
import { join, type Reader, type Sql, sql } from "@kb/db";
import { z } from "zod";
import { requireCollection } from "../collections/row.ts";
import { notFound } from "../errors.ts";
import { query } from "../operation.ts";
import { decodeCursor, encodeCursor } from "../schema/cursor.ts";
import { Id, Text } from "../schema/text.ts";
import { requireAccess } from "./access.ts";
import { findDocument } from "./row.ts";
import {
  childrenOf,
  inTree,
  type NodeRow,
  nodesOf,
  presentNode,
  type SiblingPosition,
  TreeNode,
  type TreeOf,
  topLevelOf,
} from "./tree-node.ts";

/** Rows of one level in a page: the default and the maximum. */
const maxRows = 500;
/** Rows of all levels together, if a path is opened; each level has at least `fewestRows`. */
const maxRowsOfPath = 2_000;
const fewestRows = 20;
/** The chain of parents always ends at the top; this bounds the damage of a defect. */
const deepest = 100;

/** The documents below one parent. */
export const TreeLevel = z
  .object({
    /** The document above; null for the top level of the collection. */
    parentId: z.uuid().nullable(),
    data: z.array(TreeNode),
    /** Continues this level; null at its end. */
    nextCursor: z.string().nullable(),
  })
  .meta({ id: "TreeLevel" });

const Position = z.strictObject({ sortOrder: z.number(), id: z.uuid() });

const input = z
  .strictObject({
    collectionId: Id.optional(),
    parentId: Id.nullish(),
    to: Id.optional(),
    limit: z.int().min(1).max(maxRows).default(maxRows),
    cursor: Text.optional(),
  })
  .refine(({ collectionId, to }) => collectionId !== undefined || to !== undefined, {
    path: ["collectionId"],
    message: "Send `collectionId` or `to`",
  })
  .refine(({ to, parentId, cursor }) => to === undefined || (parentId == null && cursor === undefined), {
    path: ["to"],
    message: "Cannot be combined with `parentId` or `cursor`",
  });

type Request = z.output<typeof input>;

/**
 * Lists the active documents below a parent, or at the top level of a collection, in their order. A document whose parent
 * the user may not see, or whose parent is archived, is at the top level.
 *
 * With `to`, the answer opens the tree at a document: `path` has the documents from the top level down to it, and `levels`
 * the top level and the level below each document of the path but the last. A long level holds its first page; the
 * document of the path may lie beyond it, and is in `path` with its position. `path` is empty if the document is archived or
 * is in no collection. Without `to` there is one level, and `path` is empty.
 */
export const readTree = query({
  name: "documents.tree",
  summary: "List the documents below one, or open the tree at a document",
  description:
    "Lean rows in the order of the siblings, at most 500 for each level; a cursor continues a level. `to` returns the levels down to a document in one response.",
  scope: "read",
  capability: "document.read",
  sessionOnly: true,
  input,
  output: z.object({
    collectionId: z.uuid().nullable(),
    path: z.array(TreeNode),
    levels: z.array(TreeLevel),
  }),
  async run({ reader, actor }, request) {
    const { to } = request;
    return to === undefined ? readLevel(reader, actor, request) : openAt(reader, actor, request, to);
  },
});

type Tree = TreeOf & { readonly facts: CollectionFacts };

async function requireTree(reader: Reader, actor: Actor, collectionId: string): Promise<Tree> {
  return { collectionId, facts: await requireCollection(reader, actor, "read", collectionId) };
}

/** Reads a page of one level: 3 statements. */
async function readLevel(reader: Reader, actor: Actor, { collectionId = "", parentId, limit, cursor }: Request) {
  const tree = await requireTree(reader, actor, collectionId);
  if (parentId != null) {
    const parent = requireAccess(actor, "read", await findDocument(reader, actor, parentId, { text: false }));
    if (parent.collectionId !== collectionId) throw notFound("Document");
  }
  const range = { after: cursor === undefined ? undefined : decodeCursor(Position, cursor), limit: limit + 1 };
  const documents =
    parentId == null ? topLevelOf(actor, tree, range) : childrenOf(actor, tree, sql`${parentId}::uuid`, range);
  const rows = await reader.rows<NodeRow>(sql`SELECT * FROM (${nodesOf(actor, tree, documents)}) n
    ORDER BY n."sortOrder", n.id`);
  return { collectionId, path: [], levels: [presentLevel(actor, tree.facts, rows, parentId ?? null, limit)] };
}

/** Presents a level of which one row more than `limit` was read. */
export function presentLevel(
  actor: Actor,
  facts: CollectionFacts,
  rows: readonly NodeRow[],
  parentId: string | null,
  limit: number,
): z.input<typeof TreeLevel> {
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  return {
    parentId,
    data: shown.map((row) => presentNode(actor, facts, row, parentId)),
    nextCursor: last === undefined ? null : encodeCursor(positionOf(last)),
  };
}

const positionOf = ({ sortOrder, id }: SiblingPosition): SiblingPosition => ({ sortOrder, id });

/** Reads the levels down to a document: 4 statements. */
async function openAt(reader: Reader, actor: Actor, request: Request, to: string) {
  const document = requireAccess(actor, "read", await findDocument(reader, actor, to, { text: false }));
  const { collectionId } = document;
  if (request.collectionId !== undefined && request.collectionId !== collectionId) throw notFound("Document");
  if (collectionId === null) return { collectionId, path: [], levels: [] };
  const tree = await requireTree(reader, actor, collectionId);
  const ids = await readPath(reader, actor, tree, to);
  const parents = ids.slice(0, -1);
  const limit = Math.min(request.limit, Math.max(fewestRows, Math.floor(maxRowsOfPath / (parents.length + 1))));
  const rows = await readLevels(reader, actor, tree, { ids, parents, limit });
  const byLevel = Map.groupBy(rows, ({ level }) => level);
  const onPath = new Map(byLevel.get(pathLevel)?.map((row) => [row.id, row]));
  return {
    collectionId,
    path: ids.flatMap((id, place) => {
      const row = onPath.get(id);
      return row === undefined ? [] : [presentNode(actor, tree.facts, row, ids[place - 1] ?? null)];
    }),
    levels: [null, ...parents].map((parentId, place) =>
      presentLevel(actor, tree.facts, byLevel.get(place) ?? [], parentId, limit),
    ),
  };
}

/** Returns the ids of the documents from the top level down to one; none if it is not in the tree. `LIMIT`: see `ancestorsOf`. */
async function readPath(reader: Reader, actor: Actor, tree: Tree, to: string): Promise<string[]> {
  const rows = await reader.rows<{ id: string }>(sql`WITH RECURSIVE above AS (
      SELECT d.id, d."parentDocumentId", 1 AS height FROM documents d WHERE d.id = ${to}::uuid AND ${inTree(actor, tree)}
      UNION ALL
      SELECT d.id, d."parentDocumentId", a.height + 1 FROM above a CROSS JOIN LATERAL (
        SELECT d.id, d."parentDocumentId" FROM documents d
        WHERE d.id = a."parentDocumentId" AND ${inTree(actor, tree)} LIMIT 1) d WHERE a.height < ${deepest}::int
    ) SELECT above.id FROM above ORDER BY above.height DESC`);
  return rows.map(({ id }) => id);
}

/** The level of the rows of the path itself; that of the others is their place from the top. */
const pathLevel = -1;

type Levels = { readonly ids: readonly string[]; readonly parents: readonly string[]; readonly limit: number };

/** Reads the top level, the level below each of the parents, and the rows of the path: 1 statement. */
async function readLevels(reader: Reader, actor: Actor, tree: Tree, { ids, parents, limit }: Levels) {
  const range = { limit: limit + 1 };
  const at = (level: Sql, from: Sql): Sql => sql`SELECT ${level} AS level, n.* FROM ${from}`;
  const below = nodesOf(actor, tree, childrenOf(actor, tree, sql`l.id`, range));
  const own = nodesOf(
    actor,
    tree,
    sql`SELECT d.* FROM documents d WHERE d.id = ANY(${ids}::uuid[]) AND ${inTree(actor, tree)}`,
  );
  const levels = [
    at(sql`0`, sql`(${nodesOf(actor, tree, topLevelOf(actor, tree, range))}) n`),
    at(sql`l.place::int`, sql`unnest(${parents}::uuid[]) WITH ORDINALITY l(id, place) CROSS JOIN LATERAL (${below}) n`),
    at(sql`${pathLevel}::int`, sql`(${own}) n`),
  ];
  return reader.rows<NodeRow & { readonly level: number }>(sql`SELECT * FROM (${join(levels, " UNION ALL ")}) r
    ORDER BY r.level, r."sortOrder", r.id`);
}
