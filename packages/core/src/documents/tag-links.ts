import { holds } from "@kb/auth";
import { sql, stampChange } from "@kb/db";
import type { WriteContext } from "../context.ts";
import { ServiceError } from "../errors.ts";
import { newTagId } from "../tags/tag.ts";

/**
 * Sets the unrestricted tags of a document; restricted ones stay. Creates tags that do not exist yet. Call it after the
 * team's clock was stamped: from then on the team's changes run one by one, so that no tag is created twice.
 * @throws {ServiceError} `forbidden` when a new tag is needed and the caller may not create tags.
 */
export async function replaceTags(context: WriteContext, documentId: string, names: readonly string[]): Promise<void> {
  const { tx, actor } = context;
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
  const created = await createTags(context, missing);
  if (created.length === 0) return;
  await tx.documentTag.createMany({ data: created.map((tagId) => ({ teamId, documentId, tagId })) });
}

async function createTags({ tx, outbox, actor, now }: WriteContext, names: readonly string[]): Promise<string[]> {
  if (names.length === 0) return [];
  if (!holds(actor, "tag.create")) {
    throw new ServiceError("forbidden", `The tag \`${names[0]}\` does not exist, and you may not create tags.`);
  }
  const { teamId, userId } = actor;
  const tags = names.map((name) => ({ teamId, id: newTagId(), name, createdById: userId, createdAt: now }));
  await tx.tag.createMany({ data: tags });
  const stamp = await stampChange(tx, teamId, now, tags.length);
  outbox.emit(
    stamp,
    tags.map(({ id, name }) => ({ type: "tag.created", data: { id, name } })),
  );
  return tags.map((tag) => tag.id);
}
