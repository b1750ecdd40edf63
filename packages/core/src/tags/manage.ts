import type { Actor } from "@kb/auth";
import { type Database, stampChange, stampMoment, type Tx } from "@kb/db";
import { z } from "zod";
import { notFound } from "../errors.ts";
import { operation, type Preparation } from "../operation.ts";
import { Color, Id, TagName } from "../schema/text.ts";
import { requireFreeTagName } from "./restrict.ts";
import { Tag } from "./tag.ts";
import { findTaggedDocuments, lockTaggedDocuments, updateTaggedDocuments } from "./tagged-documents.ts";

const forManagers = { scope: "write", capability: "tag.manage", sessionOnly: true } as const;

/** Returns the database, in which the documents are indexed when the transaction has ended. */
const databaseOf = (_request: object, { service }: Preparation): Database => service.database;

/** Changes the name or color of a tag, restricted or not. Documents that show its name get a new revision. */
export const updateTag = operation({
  name: "tags.update",
  summary: "Update a tag's name or color",
  description: "Documents that show the tag get a new revision when its name changes.",
  ...forManagers,
  input: z.strictObject({ id: Id, name: TagName.optional(), color: Color.nullable().optional() }),
  output: Tag,
  prepare: databaseOf,
  async run(context, { id, ...request }, database) {
    const { tx, outbox, actor, now } = context;
    const { teamId } = actor;
    const first = await requireTag(tx, actor, id);
    const renames = request.name !== undefined && request.name !== first.name;
    if (renames && !first.restricted) await lockTaggedDocuments(context, id);
    // From here on, the changes of the team run one after the other.
    await stampMoment(tx, teamId, now);
    const before = await requireTag(tx, actor, id);
    const { name = before.name, color = before.color } = request;
    const changed = [...(name === before.name ? [] : ["name"]), ...(color === before.color ? [] : ["color"])];
    if (changed.length === 0) {
      context.audit.unchanged();
      return { id, name, color };
    }
    if (name !== before.name) await requireFreeTagName(tx, teamId, name, before.restricted);
    const stamp = await stampChange(tx, teamId, now);
    await tx.tag.update({ where: { teamId_id: { teamId, id } }, data: { name, color } });
    outbox.emit(stamp, [{ type: "tag.updated", data: { id, name, changed, ...restrictedMark(before) } }]);
    if (name !== before.name && !before.restricted)
      await updateTaggedDocuments(context, database, await findTaggedDocuments(context, id));
    return { id, name, color };
  },
});

/** Deletes a tag, restricted or not. Documents that showed it get a new revision. */
export const deleteTag = operation({
  name: "tags.delete",
  summary: "Delete a tag",
  description:
    "Removes the tag from all documents; those that showed it get a new revision. A channel that used it shows less, never more.",
  ...forManagers,
  input: z.strictObject({ id: Id }),
  output: z.object({ id: z.uuid(), status: z.literal("deleted") }),
  prepare: databaseOf,
  async run(context, { id }, database) {
    const { tx, outbox, actor, now } = context;
    const { teamId } = actor;
    const first = await requireTag(tx, actor, id);
    if (!first.restricted) await lockTaggedDocuments(context, id);
    const stamp = await stampChange(tx, teamId, now);
    const tag = await requireTag(tx, actor, id);
    const documents = tag.restricted ? [] : await findTaggedDocuments(context, id);
    await tx.tag.delete({ where: { teamId_id: { teamId, id } } });
    // The triggers leave counts of 0 behind.
    await tx.documentTagCount.deleteMany({ where: { teamId, tagId: id } });
    outbox.emit(stamp, [{ type: "tag.deleted", data: { id, name: tag.name, ...restrictedMark(tag) } }]);
    await updateTaggedDocuments(context, database, documents);
    return { id, status: "deleted" as const };
  },
});

type TagRow = { name: string; color: string | null; restricted: boolean };

/** Marks events of restricted tags: only subscribers who may see the tag receive them. */
const restrictedMark = ({ restricted }: TagRow): { restricted?: true } => (restricted ? { restricted } : {});

async function requireTag(tx: Tx, actor: Actor, id: string): Promise<TagRow> {
  const where = { teamId_id: { teamId: actor.teamId, id } };
  const tag = await tx.tag.findUnique({ where, select: { name: true, color: true, restricted: true } });
  if (tag === null) throw notFound("Tag");
  return tag;
}
