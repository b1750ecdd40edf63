import { type Actor, visibleTags } from "@kb/auth";
import { type Reader, sql, stampMoment } from "@kb/db";
import { z } from "zod";
import { notFound } from "../errors.ts";
import { operation, query } from "../operation.ts";
import { Ids } from "../schema/names.ts";
import { Id, maxTags } from "../schema/text.ts";
import { requireAccess } from "./access.ts";
import { lockBesideBody } from "./lock.ts";
import { findDocument } from "./row.ts";

const RestrictedTags = z.array(z.object({ id: z.uuid(), name: z.string(), color: z.string().nullable() }));

/** Lists the restricted tags of a document that the caller may see. */
export const listRestrictedTags = query({
  name: "documents.restrictedTags.list",
  summary: "List the restricted tags of a document",
  description: "Only tags that you may see.",
  scope: "read",
  capability: "document.read",
  sessionOnly: true,
  input: z.strictObject({ id: Id }),
  output: RestrictedTags,
  async run({ reader, actor }, { id }) {
    requireAccess(actor, "read", await findDocument(reader, actor, id));
    return tagsOn(reader, actor, id);
  },
});

/**
 * Sets the restricted tags of a document, as far as the caller may see them; others stay. This is no change of the
 * document, which shows none of them.
 */
export const setRestrictedTags = operation({
  name: "documents.restrictedTags.set",
  summary: "Set the restricted tags of a document",
  description: "Replaces the tags that you may see; other restricted tags stay.",
  scope: "write",
  capability: "document.edit",
  sessionOnly: true,
  input: z.strictObject({ id: Id, tagIds: Ids(maxTags) }),
  output: RestrictedTags,
  queueBy: (request) => request.id,
  async run(context, { id, tagIds }) {
    const { tx, actor, now } = context;
    requireAccess(actor, "edit", await lockBesideBody(context, id, "edit"));
    // Under the lock of the team's clock, a tag that was being deleted is gone.
    await stampMoment(tx, actor.teamId, now);
    const visible = await tx.rows<{ id: string }>(
      sql`SELECT t.id FROM tags t WHERE ${visibleTags(actor)} AND t.restricted`,
    );
    const known = visible.map((tag) => tag.id);
    if (tagIds.some((tagId) => !known.includes(tagId))) throw notFound("Tag");
    await tx.execute(sql`WITH removed AS (
        DELETE FROM document_tags dt WHERE dt."teamId" = ${actor.teamId}::uuid AND dt."documentId" = ${id}::uuid
          AND dt."tagId" = ANY(${known}::uuid[]) AND NOT dt."tagId" = ANY(${tagIds}::uuid[])
      )
      INSERT INTO document_tags ("teamId", "documentId", "tagId")
      SELECT ${actor.teamId}::uuid, ${id}::uuid, wanted FROM unnest(${tagIds}::uuid[]) AS wanted ON CONFLICT DO NOTHING`);
    return tagsOn(tx, actor, id);
  },
});

function tagsOn(reader: Reader, actor: Actor, documentId: string): Promise<z.input<typeof RestrictedTags>> {
  return reader.rows(sql`SELECT t.id, t.name, t.color FROM tags t
    JOIN document_tags dt ON dt."teamId" = t."teamId" AND dt."tagId" = t.id
    WHERE dt."documentId" = ${documentId}::uuid AND t.restricted AND ${visibleTags(actor)} ORDER BY t.name`);
}
