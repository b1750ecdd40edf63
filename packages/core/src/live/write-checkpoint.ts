import { type LastStatement, type Sql, sql, stampMoment, type Tx, takeMomentIf } from "@kb/db";
import type { AuditRecord } from "../audit/entry.ts";
import type { Service } from "../context.ts";
import type { Body } from "../documents/body.ts";
import { documentEvent, sizeAssignments } from "../documents/save.ts";
import { indexOfBody, labelsOf } from "../documents/search-entry.ts";
import { revisionWindowMs, storeRevision } from "../documents/store-revision.ts";
import type { Emitter } from "../events.ts";
import { type Answer, FinalChange } from "../final-change.ts";
import { endWithOutbox, type Outbox } from "../outbox.ts";
import { addTerms } from "../search/index.ts";
import type { DerivedBody } from "./followed-document.ts";
import { appendSaved, permitBodyChange } from "./live-log.ts";
import type { UnsavedDocument } from "./unsaved-document.ts";

/** What a checkpoint needs of the service. */
export type CheckpointService = Pick<Service, "database" | "clock" | "appUrl">;

/** A body that was derived from a document's log, and the state from which it was. */
export type Checkpoint = {
  readonly from: UnsavedDocument;
  /** The saved Markdown in that state. */
  readonly markdown: string;
  readonly derived: DerivedBody;
  /** The time that it took. */
  readonly costMs: number;
};

/** The kind of credential that the history shows for a run of live editing. */
export const liveKind = "live";
/** A run of live editing ends after this time without a checkpoint. */
const pauseMs = 2 * 60 * 1000;

/** Writes a checkpoint of a locked document. One that changes nothing makes no revision and no event. Returns true. */
export async function writeCheckpoint(
  service: CheckpointService,
  tx: Tx,
  document: UnsavedDocument,
  checkpoint: Checkpoint,
): Promise<true | LastStatement<true>> {
  const { from, markdown, derived } = checkpoint;
  const now = service.clock.now();
  permitBodyChange(tx, document.id);
  markSaved(tx, document, checkpoint, now);
  if (derived.body.markdown === markdown) {
    tx.executeWithNext(contentUpdate(document, derived.body));
    return true;
  }
  const authors = document.authors.slice(0, from.version - from.savedVersion);
  const emitter = await lastAuthor(tx, document.teamId, authors);
  const change = { service, tx, document, body: derived.body, authors, emitter, now };
  return endWithOutbox<true>(tx, emitter, (outbox) => changeDocument(change, outbox));
}

function markSaved(tx: Tx, { teamId, id: documentId }: UnsavedDocument, checkpoint: Checkpoint, now: Date): void {
  const { from, derived, costMs } = checkpoint;
  const { version } = from;
  tx.executeWithNext(sql`UPDATE live_documents SET "savedVersion" = ${version}, "checkpointCost" = ${costMs}, "retryAt" = NULL,
      "unsavedSince" = (SELECT min(b.at) FROM live_batches b WHERE b."teamId" = ${teamId}::uuid
        AND b."documentId" = ${documentId}::uuid AND b.version > ${version})
    WHERE "teamId" = ${teamId}::uuid AND "documentId" = ${documentId}::uuid`);
  if (derived.normalSteps === null) return;
  const batch = { steps: derived.normalSteps, authorId: null, kind: "system", now };
  appendSaved(tx, { teamId, documentId, version }, batch);
}

/** Returns the statement that writes a content whose Markdown is the stored one, if it differs in something else. */
function contentUpdate({ teamId, id }: UnsavedDocument, { content }: Body): Sql {
  return sql`WITH changed AS (UPDATE document_bodies SET content = ${content}::jsonb
      WHERE "teamId" = ${teamId}::uuid AND "documentId" = ${id}::uuid AND content IS DISTINCT FROM ${content}::jsonb RETURNING 1)
    ${takeMomentIf(sql`changed`, teamId)}`;
}

/** The last author is the actor of the change; the history and the event name all of them. */
async function lastAuthor(tx: Tx, teamId: string, authors: readonly string[]): Promise<Emitter> {
  const userId = authors.at(-1);
  if (userId === undefined) throw new Error("a batch that is not saved has an author");
  const [user] = await tx.rows<{ name: string }>(sql`SELECT u.name FROM users u
    WHERE u."teamId" = ${teamId}::uuid AND u.id = ${userId}::uuid`);
  return { teamId, userId, userName: user?.name ?? "", credential: { kind: "session", id: userId, name: "Browser" } };
}

type LiveChange = {
  readonly service: CheckpointService;
  readonly tx: Tx;
  readonly document: UnsavedDocument;
  readonly body: Body;
  readonly authors: readonly string[];
  readonly emitter: Emitter;
  readonly now: Date;
};

/** Writes the body with its index, the superseded state and the audit entries; returns the change of the row with its event. */
async function changeDocument(change: LiveChange, outbox: Outbox): Promise<Answer<true>> {
  const { service, tx, document, body, authors, emitter, now } = change;
  const { teamId, userId, credential } = emitter;
  const { id, revision } = document;
  const continues = continuesRun(document, now);
  const revisionBytes = await writeBody(change, continues);
  const contributors = [...new Set([...(continues ? document.contributors : []), ...authors])];
  outbox.audit(auditEntries(change));
  const statement = (at: Sql): Sql => sql`UPDATE documents SET ${sizeAssignments({ body }, revisionBytes)}
      "editorId" = ${userId}::uuid, "editorKind" = ${liveKind}, "editorName" = ${credential.name},
      contributors = ${contributors}::uuid[], "lastModifiedById" = ${userId}::uuid, revision = ${revision + 1}, "updatedAt" = ${at}
    WHERE "teamId" = ${teamId}::uuid AND id = ${id}::uuid`;
  if (document.isTrashed) {
    // The event of the deletion stays the last one of a document in the trash.
    const at = await stampMoment(tx, teamId, now);
    tx.executeWithNext(statement(sql`${at}::timestamptz`));
    return true;
  }
  const event = documentEvent("document.updated", { ...document, revision: revision + 1 }, ["text"], service.appUrl);
  const data = { ...event.data, contributors: [...new Set(authors)] };
  return new FinalChange({ now, id, events: [{ ...event, data }], statement }, () => true);
}

/** A run of live editing is one entry of the history, no matter who types in it. */
function continuesRun({ editorKind, runStartedAt, updatedAt }: UnsavedDocument, now: Date): boolean {
  const isRecent = updatedAt.getTime() >= now.getTime() - pauseMs;
  return editorKind === liveKind && isRecent && runStartedAt.getTime() >= now.getTime() - revisionWindowMs;
}

/** Writes the body, and stores the state before it unless the run continues. Returns the bytes of the stored state. */
async function writeBody({ tx, document, body, emitter, now }: LiveChange, continues: boolean): Promise<number> {
  const { teamId, id } = document;
  const entry = indexOfBody(body, labelsOf(document));
  addTerms(tx, teamId, entry.terms);
  const update = sql`UPDATE document_bodies SET content = ${body.content}::jsonb, markdown = ${body.markdown}, text = ${body.text},
      folded = ${entry.folded}, vector = ${entry.vector}::tsvector
    WHERE "teamId" = ${teamId}::uuid AND "documentId" = ${id}::uuid`;
  if (continues) {
    tx.executeWithNext(update);
    return 0;
  }
  const editor = { teamId, userId: emitter.userId, credential: { kind: liveKind, name: emitter.credential.name } };
  const [stored] = await tx.rows<{ bytes: number }>(storeRevision(editor, id, now, update));
  return stored?.bytes ?? 0;
}

/** One entry for each author: a batch has none of its own. */
function auditEntries({ document, authors, now }: LiveChange): AuditRecord[] {
  const { teamId, id } = document;
  return [...Map.groupBy(authors, (author) => author)].map(([userId, batches]) => ({
    teamId,
    at: now,
    userId,
    credential: { kind: "session", id: null },
    action: "documents.live_edit",
    outcome: "success",
    target: { type: "document", id },
    details: { batches: batches.length },
  }));
}
