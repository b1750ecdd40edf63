import {
  type Actor,
  type CollectionFacts,
  keyDocumentLevel,
  type Level,
  readableDocuments,
  readableParents,
} from "@kb/auth";
import { empty, type Sql, sql } from "@kb/db";
import { z } from "zod";
import { RowAbilities, rowAbilities } from "./abilities.ts";
import { DocumentStatus, statusOf } from "./status.ts";

/** A row of the tree: everything that the sidebar shows of a document, and nothing of its body. */
export const TreeNode = z
  .object({
    id: z.uuid(),
    /** The document above it that the caller may see; null at the top level. */
    parentId: z.uuid().nullable(),
    title: z.string(),
    emoji: z.string().nullable(),
    state: DocumentStatus,
    sortOrder: z.number(),
    hasChildren: z.boolean(),
    abilities: RowAbilities,
  })
  .meta({ id: "TreeNode" });

/** A row of `levelOfTree`. */
export type NodeRow = {
  readonly id: string;
  readonly title: string;
  readonly emoji: string | null;
  readonly sortOrder: number;
  readonly createdById: string | null;
  readonly publishedAt: Date | null;
  readonly archivedAt: Date | null;
  readonly deletedAt: Date | null;
  readonly keyLevel: Level | null;
  readonly hasChildren: boolean;
};

/** Returns a row as the tree shows it. `collection` has the facts of the one collection of the tree. */
export function presentNode(
  actor: Actor,
  { level }: Pick<CollectionFacts, "level">,
  row: NodeRow,
  parentId: string | null,
): z.input<typeof TreeNode> {
  return {
    id: row.id,
    parentId,
    title: row.title,
    emoji: row.emoji,
    state: statusOf(row),
    sortOrder: row.sortOrder,
    hasChildren: row.hasChildren,
    abilities: rowAbilities(actor, { ...row, level }),
  };
}

/** The tree whose rows are read: of active documents, or of archived ones below an archived document. */
export type TreeOf = { readonly collectionId: string | Sql; readonly archived?: boolean | undefined };

/** Returns the condition that `documents d` is in the tree and visible to the caller. */
export function inTree(actor: Actor, { collectionId, archived = false }: TreeOf): Sql {
  return sql`d."collectionId" = ${collectionId}::uuid AND d."deletedAt" IS NULL
    AND d."archivedAt" IS ${archived ? sql`NOT NULL` : sql`NULL`} AND ${readableDocuments(actor)}`;
}

/** The position of a row among its siblings. */
export type SiblingPosition = { readonly sortOrder: number; readonly id: string };

type Range = { readonly after?: SiblingPosition | undefined; readonly limit: number };

const afterPosition = (after: SiblingPosition | undefined): Sql =>
  after === undefined ? empty : sql` AND (d."sortOrder", d.id) > (${after.sortOrder}::float8, ${after.id}::uuid)`;

/** Selects `NodeRow`s of the documents `d` that a subquery selects. With EXISTS, the planner would read the whole collection. */
export function nodesOf(actor: Actor, tree: TreeOf, documents: Sql): Sql {
  return sql`SELECT s.id, s.title, s.emoji, s."sortOrder", s."createdById", s."publishedAt", s."archivedAt", s."deletedAt",
      s."keyLevel", (SELECT TRUE FROM documents d WHERE d."parentDocumentId" = s.id AND ${inTree(actor, tree)} LIMIT 1) IS TRUE AS "hasChildren"
    FROM (SELECT d.*, ${keyDocumentLevel(actor)} AS "keyLevel" FROM (${documents}) d) s`;
}

/** Selects the first documents below `parent`, an expression for an id, in their order. */
export function childrenOf(actor: Actor, tree: TreeOf, parent: Sql, { after, limit }: Range): Sql {
  return sql`SELECT d.* FROM documents d WHERE d."parentDocumentId" = ${parent} AND ${inTree(actor, tree)}${afterPosition(after)}
    ORDER BY d."sortOrder", d.id LIMIT ${limit}`;
}

/**
 * Selects the first documents of the top level, in their order: those without a parent, and those whose parent is not in
 * the tree for the caller, such as the draft of somebody else or an archived document.
 */
export function topLevelOf(actor: Actor, tree: TreeOf, { after, limit }: Range): Sql {
  // Sorts by the parent too, which is always NULL here, so that the order is the index's.
  const roots = sql`SELECT d.* FROM documents d WHERE d."parentDocumentId" IS NULL AND ${inTree(actor, tree)}${afterPosition(after)}
    ORDER BY d."parentDocumentId", d."sortOrder", d.id LIMIT ${limit}`;
  // The children of each are looked up: the planner would read the whole collection.
  const belowHidden = sql`SELECT d.* FROM documents p CROSS JOIN LATERAL (SELECT o.* FROM documents o
      WHERE o."teamId" = ${actor.teamId}::uuid AND o."collectionId" = p."collectionId" AND o."parentDocumentId" = p.id OFFSET 0) d
    WHERE p."teamId" = ${actor.teamId}::uuid AND p."collectionId" = ${tree.collectionId}::uuid AND p."deletedAt" IS NULL
      AND (p."publishedAt" IS NULL OR p."archivedAt" IS NOT NULL)
      AND NOT (p."archivedAt" IS NULL AND ${readableParents(actor)}) AND ${inTree(actor, tree)}${afterPosition(after)}
    ORDER BY d."sortOrder", d.id LIMIT ${limit}`;
  return sql`SELECT * FROM ((${roots}) UNION ALL (${belowHidden})) d ORDER BY d."sortOrder", d.id LIMIT ${limit}`;
}
