import { type Actor, type DocumentAction, decideDocument, visibleDocument } from "@kb/auth";
import { type RowsOf, type Sql, type StatementsFor, sql, type Tx } from "@kb/db";
import type { Service, WriteContext } from "../context.ts";
import { settleDocument } from "../live/checkpoint.ts";
import { claimLog } from "../live/claim-log.ts";
import { lacksCheckpoint, tryCheckpoint } from "../live/try-checkpoint.ts";
import { unsavedBefore } from "../live/unsaved-before.ts";
import type { DocumentKey } from "../live/unsaved-document.ts";
import { isUnsaved } from "../live/versions.ts";
import { PrepareAgain } from "../prepare-again.ts";
import type { BodyParts } from "./body-parts.ts";
import type { ContinuedRun, LockedDocument } from "./edit-run.ts";
import { type DocumentWithFacts, documentById, factsOf, withFacts } from "./row.ts";

/**
 * Locks a document for a read-modify-write and reads it. Returns null for a hidden one, and does not lock it. For an actor who may
 * not edit it, the log is left alone: such a call is refused, and keeps nobody from typing.
 * @throws {PrepareAgain} when its log has batches that the body does not contain: they are saved first. The call ends with
 * the error of `unsavedBefore` where that cannot be done
 */
export async function lockDocument(
  tx: Tx,
  actor: Actor,
  id: string,
  parts: BodyParts = {},
): Promise<LockedDocument | null> {
  const found = await lockUnsettled(tx, actor, id, parts);
  if (found !== null && isUnsaved(found) && decideDocument(actor, "edit", factsOf(found)) === "allow") {
    throw new PrepareAgain((service, attempt) =>
      settleForChange(service, { teamId: actor.teamId, documentId: id }, attempt),
    );
  }
  return found;
}

/** Saves a log before a change of the body. Where others typed on while the first attempt was prepared, they wait for the next. */
async function settleForChange(service: Service, key: DocumentKey, attempt: number) {
  const end = attempt === 0 ? undefined : await claimLog(service.database, key);
  try {
    await settleDocument(service, key.teamId, key.documentId);
    return end;
  } catch (error) {
    await end?.();
    throw unsavedBefore(error);
  }
}

/**
 * As `lockDocument`, for a change that writes no body: it is made also where the log cannot be saved, such as one that is too
 * large. Nobody is kept from deleting or moving such a document. For an actor who may not take the action, the log is left alone.
 * @throws {PrepareAgain} as `lockDocument`
 */
export async function lockBesideBody(
  { tx, actor, call }: Pick<WriteContext, "tx" | "actor" | "call">,
  id: string,
  action: DocumentAction,
  parts: BodyParts = {},
): Promise<LockedDocument | null> {
  const found = await lockUnsettled(tx, actor, id, parts);
  if (found === null || !isUnsaved(found) || decideDocument(actor, action, factsOf(found)) !== "allow") return found;
  if (!lacksCheckpoint(call)) {
    throw tryCheckpoint(call, { teamId: actor.teamId, documentId: id });
  }
  return found;
}

/** As `lockDocument`, but the log may have batches that the body does not contain. */
export async function lockUnsettled(
  tx: Tx,
  actor: Actor,
  id: string,
  parts: BodyParts = {},
): Promise<LockedDocument | null> {
  const [document] = await lockWith<[]>(tx, actor, id, { parts, others: [] });
  return document;
}

/** What is read together with a locked document. */
type ReadWithLock<Others extends unknown[]> = { readonly parts: BodyParts; readonly others: StatementsFor<Others> };

/**
 * As `lockUnsettled`, with the rows of other statements, all in one round trip: those after the first see what the previous holder of
 * the lock has committed. The rows of the others are nothing to a caller from whom the document is hidden.
 */
export async function lockWith<Others extends unknown[]>(
  tx: Tx,
  actor: Actor,
  id: string,
  { parts, others }: ReadWithLock<Others>,
): Promise<[LockedDocument | null, ...RowsOf<Others>]> {
  const locking = sql`SELECT d."editorId", d."editorKind", d."runStartedAt", d."runCredential" FROM documents d ${withFacts(actor)}
    WHERE d."teamId" = ${actor.teamId}::uuid AND d.id = ${id}::uuid AND ${visibleDocument(actor)} FOR UPDATE OF d`;
  const statements: StatementsFor<[ContinuedRun, DocumentWithFacts, ...Others]> = [
    locking,
    documentById(actor, id, parts),
    ...others,
  ];
  const [[run], [found], ...rows] = await tx.rowsOfEach<[ContinuedRun, DocumentWithFacts, ...Others]>(statements);
  // It may have become visible in between: it is not locked then.
  return [run === undefined || found === undefined ? null : { ...found, ...run }, ...rows];
}

/**
 * Locks the rows that a condition on `documents d` selects, in the order of their ids, so that two batches cannot
 * deadlock.
 */
export async function lockDocuments(tx: Tx, actor: Actor, condition: Sql): Promise<void> {
  await tx.rows(sql`SELECT 1 FROM documents d WHERE d."teamId" = ${actor.teamId}::uuid AND ${condition}
    ORDER BY d.id FOR UPDATE`);
}

/**
 * Locks the team's tree of documents: `exclusive` for changes of parents and of whole subtrees, `shared` for adding a
 * document below another. Two moves can then make no cycle, and no child is added to a parent that is being deleted.
 * Take this lock before any row lock.
 */
export async function lockTree(tx: Tx, teamId: string, mode: "shared" | "exclusive"): Promise<void> {
  const key = sql`hashtextextended(${`tree:${teamId}`}, 0)`;
  await tx.rows(
    mode === "exclusive"
      ? sql`SELECT pg_advisory_xact_lock(${key})::text AS "teamId"`
      : sql`SELECT pg_advisory_xact_lock_shared(${key})::text AS "teamId"`,
  );
}
