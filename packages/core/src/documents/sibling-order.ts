import { type Actor, editableDocuments } from "@kb/auth";
import { empty, type Sql, sql, type Tx } from "@kb/db";
import type { WriteContext } from "../context.ts";
import { invalid, ServiceError } from "../errors.ts";
import { requireAccess } from "./access.ts";
import { lockDocuments } from "./lock.ts";
import { type Order, orderAfter, type Sibling } from "./order-after.ts";
import { findDocument } from "./row.ts";
import { among, findBatchDocuments, saveBatch } from "./subtree.ts";

/** The place of a document: its siblings are the active documents there. */
export type SiblingPlace = { readonly collectionId: string | null; readonly parentDocumentId: string | null };

type SiblingRow = Sibling & { readonly editable: boolean };

/**
 * Returns the order by which a document comes directly after a sibling, or first with null. The caller holds the tree's lock
 * exclusively, so that two moves at once come one after another. Locks the siblings that have to make way; `shiftSiblings`
 * moves them.
 * @throws {ServiceError} `not_found` for a hidden sibling; `conflict` for one in another place, or if a document would have
 * to make way that the caller may not edit; `validation_error`
 */
export async function orderBeside(
  { tx, actor }: WriteContext,
  document: Sibling,
  place: SiblingPlace,
  after: string | null,
): Promise<Order> {
  if (after === document.id) throw invalid("after", "Is the document itself");
  const before = after === null ? undefined : await requireSibling(tx, actor, place, after);
  const [next] = await readSiblings(tx, actor, place, document.id, before, 1);
  const neighbors = [before, next].filter((neighbor) => neighbor !== undefined);
  const order = orderAfter(neighbors, before === undefined ? -1 : 0, document);
  if (order.shifts.length === 0) return order;
  return makeWay(tx, actor, document, place, after);
}

/** Reads all siblings, where the neighbors leave no number between them, and locks those that make way. */
async function makeWay(
  tx: Tx,
  actor: Actor,
  document: Sibling,
  place: SiblingPlace,
  after: string | null,
): Promise<Order> {
  const siblings = await readSiblings(tx, actor, place, document.id, undefined, undefined);
  const order = orderAfter(
    siblings,
    siblings.findIndex(({ id }) => id === after),
    document,
  );
  const moved = new Set(order.shifts.map(({ id }) => id));
  if (siblings.some(({ id, editable }) => moved.has(id) && !editable)) {
    throw new ServiceError(
      "conflict",
      "No position is free between these documents, and you may not edit those beside them.",
    );
  }
  await lockDocuments(tx, actor, among([...moved]));
  return order;
}

async function requireSibling(tx: Tx, actor: Actor, place: SiblingPlace, id: string): Promise<Sibling> {
  const sibling = requireAccess(actor, "read", await findDocument(tx, actor, id, { text: false }));
  const isThere =
    sibling.archivedAt === null &&
    sibling.collectionId === place.collectionId &&
    sibling.parentDocumentId === place.parentDocumentId;
  if (isThere) return sibling;
  const message = "The document named by `after` is in another place, or archived";
  throw new ServiceError("conflict", `${message}. Read the tree again.`, { details: [{ path: "after", message }] });
}

/** Reads the siblings in their order: all, or the first ones after one. */
function readSiblings(
  tx: Tx,
  actor: Actor,
  { collectionId, parentDocumentId }: SiblingPlace,
  exceptId: string,
  after: Sibling | undefined,
  limit: number | undefined,
): Promise<SiblingRow[]> {
  const parent: Sql = parentDocumentId === null ? sql`IS NULL` : sql`= ${parentDocumentId}::uuid`;
  const collection: Sql = collectionId === null ? sql`IS NULL` : sql`= ${collectionId}::uuid`;
  const range = after && sql` AND (d."sortOrder", d.id) > (${after.sortOrder}::float8, ${after.id}::uuid)`;
  return tx.rows<SiblingRow>(sql`SELECT d.id, d."sortOrder", ${editableDocuments(actor)} AS editable FROM documents d
    WHERE d."teamId" = ${actor.teamId}::uuid AND d."collectionId" ${collection} AND d."parentDocumentId" ${parent}
      AND d."deletedAt" IS NULL AND d."archivedAt" IS NULL AND d.id <> ${exceptId}::uuid${range ?? empty}
    ORDER BY d."parentDocumentId", d."sortOrder", d.id${limit === undefined ? empty : sql` LIMIT ${limit}`}`);
}

/** Moves siblings to their new order, each with its own revision and event. They are locked. */
export async function shiftSiblings(context: WriteContext, shifts: readonly Sibling[]): Promise<void> {
  if (shifts.length === 0) return;
  const { tx, actor } = context;
  const orders = Object.fromEntries(shifts.map(({ id, sortOrder }) => [id, sortOrder]));
  await saveBatch(context, {
    documents: await findBatchDocuments(tx, actor, among(Object.keys(orders))),
    set: sql`"sortOrder" = (${JSON.stringify(orders)}::jsonb ->> d.id::text)::float8`,
    event: "document.updated",
    changed: ["sortOrder"],
    leaves: false,
  });
}
