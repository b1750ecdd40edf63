import { type Actor, holds } from "@kb/auth";
import { newId, sql, stampChange, type Tx } from "@kb/db";
import { ServiceError } from "../errors.ts";
import { emit } from "../events.ts";

/**
 * Makes these the document's unrestricted tags; restricted ones stay as they are. Tags that do not exist yet are created.
 * Called after the team's clock was stamped: from there on one change of a team runs at a time, so none is made twice.
 * @throws {ServiceError} `forbidden` when a new tag is needed and the caller may not create tags.
 */
export async function replaceTags(
  tx: Tx,
  actor: Actor,
  documentId: string,
  names: readonly string[],
  now: Date,
): Promise<void> {
  const { teamId } = actor;
  const linked = await tx.rows<{ name: string }>(sql`
    WITH known AS (
      SELECT t.id, t.name FROM tags t WHERE t."teamId" = ${teamId}::uuid AND NOT t.restricted AND t.name = ANY(${names}::text[])
    ), removed AS (
      DELETE FROM document_tags dt USING tags t
      WHERE dt."teamId" = ${teamId}::uuid AND dt."documentId" = ${documentId}::uuid
        AND t."teamId" = dt."teamId" AND t.id = dt."tagId" AND NOT t.restricted AND NOT (t.name = ANY(${names}::text[]))
    ), added AS (
      INSERT INTO document_tags ("teamId", "documentId", "tagId")
      SELECT ${teamId}::uuid, ${documentId}::uuid, id FROM known ON CONFLICT DO NOTHING
    )
    SELECT name FROM known`);
  const missing = names.filter((name) => !linked.some((tag) => tag.name === name));
  const created = await createTags(tx, actor, missing, now);
  if (created.length === 0) return;
  await tx.documentTag.createMany({ data: created.map((tagId) => ({ teamId, documentId, tagId })) });
}

async function createTags(tx: Tx, actor: Actor, names: readonly string[], now: Date): Promise<string[]> {
  if (names.length === 0) return [];
  if (!holds(actor, "tag.create")) {
    throw new ServiceError("forbidden", `You may not create tags, and there is no tag \`${names[0]}\` yet.`);
  }
  const { teamId, userId } = actor;
  const tags = names.map((name) => ({ teamId, id: newId(), name, createdById: userId, createdAt: now }));
  await tx.tag.createMany({ data: tags });
  const stamp = await stampChange(tx, teamId, now, tags.length);
  await emit(
    tx,
    actor,
    stamp,
    tags.map(({ id, name }) => ({ type: "tag.created", data: { id, name } })),
  );
  return tags.map((tag) => tag.id);
}
