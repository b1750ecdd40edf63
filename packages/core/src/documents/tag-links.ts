import { holds } from "@kb/auth";
import { sql, stampChange } from "@kb/db";
import type { WriteContext } from "../context.ts";
import { ServiceError } from "../errors.ts";
import { newTagId } from "../tags/tag.ts";

/**
 * Sets the unrestricted tags of a document; restricted ones stay. Creates tags that do not exist yet, all in one statement,
 * because the team's other changes wait meanwhile. Call it after the team's clock was stamped: from then on the team's
 * changes run one by one, so that no tag is created twice.
 * @throws {ServiceError} `forbidden` when a new tag is needed and the caller may not create tags.
 */
export async function replaceTags(context: WriteContext, documentId: string, names: readonly string[]): Promise<void> {
  const { tx, outbox, actor, now } = context;
  const { teamId, userId } = actor;
  const mayCreate = holds(actor, "tag.create");
  const ids = names.map(() => newTagId());
  const missing = await tx.rows<{ id: string; name: string }>(sql`
    WITH known AS (
      SELECT t.id, t.name FROM tags t WHERE t."teamId" = ${teamId}::uuid AND NOT t.restricted AND t.name = ANY(${names}::text[])
    ), missing AS (
      SELECT n.id, n.name FROM unnest(${ids}::uuid[], ${names}::text[]) AS n(id, name)
      WHERE NOT EXISTS (SELECT 1 FROM known WHERE known.name = n.name)
    ), created AS (
      INSERT INTO tags ("teamId", id, name, "createdById", "createdAt")
      SELECT ${teamId}::uuid, id, name, ${userId}::uuid, ${now} FROM missing WHERE ${mayCreate}::boolean RETURNING id
    ), removed AS (
      DELETE FROM document_tags dt USING tags t
      WHERE dt."teamId" = ${teamId}::uuid AND dt."documentId" = ${documentId}::uuid
        AND t."teamId" = dt."teamId" AND t.id = dt."tagId" AND NOT t.restricted AND NOT (t.name = ANY(${names}::text[]))
    ), added AS (
      INSERT INTO document_tags ("teamId", "documentId", "tagId")
      SELECT ${teamId}::uuid, ${documentId}::uuid, id FROM (SELECT id FROM known UNION ALL SELECT id FROM created) tag
      ON CONFLICT DO NOTHING
    )
    SELECT id, name FROM missing`);
  const [first] = missing;
  if (first === undefined) return;
  if (!mayCreate) {
    throw new ServiceError("forbidden", `The tag \`${first.name}\` does not exist, and you may not create tags.`);
  }
  outbox.emit(
    await stampChange(tx, teamId, now, missing.length),
    missing.map(({ id, name }) => ({ type: "tag.created", data: { id, name } })),
  );
}
