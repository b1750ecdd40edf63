import { empty, type Sql, sql } from "@kb/db";
import type { ContinuedRun } from "./edit-run.ts";

/** The author of a change, with the kind and the name of the credential that the history shows. */
export type Editor = {
  readonly teamId: string;
  readonly userId: string;
  /** Without an id, the run is one that no credential continues. */
  readonly credential: { readonly kind: string; readonly name: string; readonly id?: string };
};

/**
 * How a change enters the history: as a part of a run of edits, or as an entry of its own, which nothing joins. An undo names the
 * revision whose change it takes back.
 */
export type HistoryEntry = "run" | "own" | { readonly undoes: number };

/**
 * The revision whose change the current state of `documents d` took back. A release without the columns of an undo leaves them when it
 * begins another run of edits, so that they count only for the run that the undo began.
 */
export const undoneRevision = sql`CASE WHEN d."undoRunStartedAt" = d."runStartedAt" THEN d.undoes END`;

/** Edits by one author within this time become one revision. */
export const revisionWindowMs = 5 * 60 * 1000;

/**
 * Returns whether a change of the title, emoji or body begins another run, so that the state before it has to be stored: the same
 * author with the same credential edits on for `revisionWindowMs`.
 */
export function endsRun({ userId, credential }: Editor, run: ContinuedRun, now: Date): boolean {
  if (run.editorId !== userId || run.editorKind !== credential.kind || run.runCredential !== credential.id) return true;
  return run.runStartedAt.getTime() < now.getTime() - revisionWindowMs;
}

/**
 * Returns the statement that stores the state of a locked document and begins another run of edits. The database copies the
 * body, once per distinct content. `update` changes the body in the same statement, all of which sees the state before. It
 * returns the `bytes` of the stored body, which the caller adds to the document's `revisionBytes`.
 */
export function storeRevision(editor: Editor, documentId: string, now: Date, update?: Sql, undoes?: number): Sql {
  return sql`
    WITH ended AS (
      SELECT d."teamId", d.id, d.revision, d.title, d.emoji, d."editorId", d."editorKind", d."editorName", d."updatedAt",
        d.contributors, ${undoneRevision} AS undoes, b.content, b.markdown, sha256(convert_to(b.markdown, 'UTF8')) AS hash
      FROM documents d JOIN document_bodies b ON b."teamId" = d."teamId" AND b."documentId" = d.id
      WHERE d."teamId" = ${editor.teamId}::uuid AND d.id = ${documentId}::uuid
    ), stored AS (
      INSERT INTO revision_bodies ("teamId", "documentId", hash, content, markdown, counted)
      SELECT "teamId", id, hash, content, markdown, true FROM ended ON CONFLICT DO NOTHING
      RETURNING octet_length(markdown) AS bytes
    ), noted AS (
      INSERT INTO document_revisions ("teamId", "documentId", revision, title, emoji, "bodyHash", "authorId", "editorKind",
        "editorName", "createdAt", contributors, undoes)
      SELECT "teamId", id, revision, title, emoji, hash, "editorId", "editorKind", "editorName", "updatedAt", contributors, undoes FROM ended
    )${update === undefined ? empty : sql`, updated AS (${update})`}
    UPDATE documents d SET "runStartedAt" = ${now}, "editorId" = ${editor.userId}::uuid,
      "editorKind" = ${editor.credential.kind}, "editorName" = ${editor.credential.name}, "runCredential" = ${editor.credential.id ?? null}, contributors = '{}',
      undoes = ${undoes ?? null}::int, "undoRunStartedAt" = ${undoes === undefined ? null : now}::timestamptz
    FROM ended WHERE d."teamId" = ended."teamId" AND d.id = ended.id
    RETURNING COALESCE((SELECT sum(bytes) FROM stored), 0)::int AS bytes`;
}
