import type { Actor } from "@kb/auth";
import { empty, type Sql, sql } from "@kb/db";

/** Edits by one author within this time become one revision. */
export const revisionWindowMs = 5 * 60 * 1000;

/**
 * Returns the statement that stores the state of a locked document before its title, emoji or body changes, unless the same
 * author is still editing with the same kind of credential. The database copies the body, once per distinct content. `update`
 * changes the body in the same statement, all of which sees the state before. It returns the `bytes` of the stored body, which
 * the caller adds to the document's `revisionBytes`, or no row.
 */
export function storeRevision(actor: Actor, documentId: string, now: Date, update?: Sql): Sql {
  const runBegan = new Date(now.getTime() - revisionWindowMs);
  return sql`
    WITH ended AS (
      SELECT d."teamId", d.id, d.revision, d.title, d.emoji, d."editorId", d."editorKind", d."editorName", d."updatedAt",
        b.content, b.markdown, sha256(convert_to(b.markdown, 'UTF8')) AS hash
      FROM documents d JOIN document_bodies b ON b."teamId" = d."teamId" AND b."documentId" = d.id
      WHERE d."teamId" = ${actor.teamId}::uuid AND d.id = ${documentId}::uuid
        AND (d."editorId" IS DISTINCT FROM ${actor.userId}::uuid OR d."editorKind" <> ${actor.credential.kind}
          OR d."runStartedAt" < ${runBegan})
    ), stored AS (
      INSERT INTO revision_bodies ("teamId", "documentId", hash, content, markdown, counted)
      SELECT "teamId", id, hash, content, markdown, true FROM ended ON CONFLICT DO NOTHING
      RETURNING octet_length(markdown) AS bytes
    ), noted AS (
      INSERT INTO document_revisions ("teamId", "documentId", revision, title, emoji, "bodyHash", "authorId", "editorKind",
        "editorName", "createdAt")
      SELECT "teamId", id, revision, title, emoji, hash, "editorId", "editorKind", "editorName", "updatedAt" FROM ended
    )${update === undefined ? empty : sql`, updated AS (${update})`}
    UPDATE documents d SET "runStartedAt" = ${now}, "editorId" = ${actor.userId}::uuid,
      "editorKind" = ${actor.credential.kind}, "editorName" = ${actor.credential.name}
    FROM ended WHERE d."teamId" = ended."teamId" AND d.id = ended.id
    RETURNING COALESCE((SELECT sum(bytes) FROM stored), 0)::int AS bytes`;
}
