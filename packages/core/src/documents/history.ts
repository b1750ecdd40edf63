import type { Actor } from "@kb/auth";
import { sql, type Tx } from "@kb/db";

/** A run of edits by one author within this time is one stored revision. */
export const runLengthMs = 5 * 60 * 1000;

/**
 * Called before the title, the emoji or the body of a locked document changes: stores the state that is about to be
 * superseded, unless the same author with the same kind of credential is still in the run that wrote it. One statement;
 * the body is copied inside the database, once per distinct content.
 */
export async function keepRevision(tx: Tx, actor: Actor, documentId: string, now: Date): Promise<void> {
  const runBegan = new Date(now.getTime() - runLengthMs);
  await tx.rows(sql`
    WITH ended AS (
      SELECT d."teamId", d.id, d.revision, d.title, d.emoji, d."editorId", d."editorKind", d."editorName", d."updatedAt",
        b.content, b.markdown, sha256(convert_to(b.markdown, 'UTF8')) AS hash
      FROM documents d JOIN document_bodies b ON b."teamId" = d."teamId" AND b."documentId" = d.id
      WHERE d."teamId" = ${actor.teamId}::uuid AND d.id = ${documentId}::uuid
        AND (d."editorId" IS DISTINCT FROM ${actor.userId}::uuid OR d."editorKind" <> ${actor.credential.kind}
          OR d."runStartedAt" < ${runBegan})
    ), stored AS (
      INSERT INTO revision_bodies ("teamId", "documentId", hash, content, markdown)
      SELECT "teamId", id, hash, content, markdown FROM ended ON CONFLICT DO NOTHING
    ), noted AS (
      INSERT INTO document_revisions ("teamId", "documentId", revision, title, emoji, "bodyHash", "authorId", "editorKind",
        "editorName", "createdAt")
      SELECT "teamId", id, revision, title, emoji, hash, "editorId", "editorKind", "editorName", "updatedAt" FROM ended
    )
    UPDATE documents d SET "runStartedAt" = ${now}, "editorId" = ${actor.userId}::uuid,
      "editorKind" = ${actor.credential.kind}, "editorName" = ${actor.credential.name}
    FROM ended WHERE d."teamId" = ended."teamId" AND d.id = ended.id`);
}
