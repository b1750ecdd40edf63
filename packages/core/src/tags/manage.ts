import type { Actor } from "@kb/auth";
import { stampChange, stampMoment, type Tx } from "@kb/db";
import { z } from "zod";
import { notFound } from "../errors.ts";
import { emit } from "../events.ts";
import { operation } from "../operation.ts";
import { Color, Id, TagName } from "../schema/text.ts";
import { labelled, lockLabelled, relabel } from "./relabel.ts";
import { requireFreeTagName } from "./restrict.ts";
import { Tag } from "./tag.ts";

const forManagers = { scope: "write", capability: "tag.manage", sessionOnly: true } as const;

/** Renames or recolours a tag, restricted or not. Documents that show its name get a new revision. */
export const updateTag = operation({
  name: "tags.update",
  summary: "Change a tag's name or colour",
  description: "Every document that shows the tag gets its new name, and with it a new revision.",
  ...forManagers,
  input: z.strictObject({ id: Id, name: TagName.optional(), color: Color.nullable().optional() }),
  output: Tag,
  async run(context, { id, ...request }) {
    const { tx, actor, now } = context;
    const { teamId } = actor;
    const first = await requireTag(tx, actor, id);
    const renames = request.name !== undefined && request.name !== first.name;
    if (renames && !first.restricted) await lockLabelled(context, id);
    // From here on one change of the team runs at a time.
    await stampMoment(tx, teamId, now);
    const before = await requireTag(tx, actor, id);
    const { name = before.name, color = before.color } = request;
    const changed = [...(name === before.name ? [] : ["name"]), ...(color === before.color ? [] : ["color"])];
    if (changed.length === 0) {
      context.audit.nothing();
      return { id, name, color };
    }
    if (name !== before.name) await requireFreeTagName(tx, teamId, name, before.restricted);
    const stamp = await stampChange(tx, teamId, now);
    await tx.tag.update({ where: { teamId_id: { teamId, id } }, data: { name, color } });
    await emit(tx, actor, stamp, [{ type: "tag.updated", data: { id, name, changed, ...marked(before) } }]);
    if (name !== before.name && !before.restricted) await relabel(context, await labelled(context, id));
    return { id, name, color };
  },
});

/** Deletes a tag, restricted or not. Documents that showed it get a new revision. */
export const deleteTag = operation({
  name: "tags.delete",
  summary: "Delete a tag",
  description:
    "It goes from every document; those that showed it get a new revision. A channel that it narrowed shows less, never more.",
  ...forManagers,
  input: z.strictObject({ id: Id }),
  output: z.object({ id: z.uuid(), status: z.literal("deleted") }),
  async run(context, { id }) {
    const { tx, actor, now } = context;
    const { teamId } = actor;
    const first = await requireTag(tx, actor, id);
    if (!first.restricted) await lockLabelled(context, id);
    const stamp = await stampChange(tx, teamId, now);
    const tag = await requireTag(tx, actor, id);
    const documents = tag.restricted ? [] : await labelled(context, id);
    await tx.tag.delete({ where: { teamId_id: { teamId, id } } });
    // None is left to count: what the triggers leave behind are kinds with none in them.
    await tx.documentTagCount.deleteMany({ where: { teamId, tagId: id } });
    await emit(tx, actor, stamp, [{ type: "tag.deleted", data: { id, name: tag.name, ...marked(tag) } }]);
    await relabel(context, documents);
    return { id, status: "deleted" as const };
  },
});

type TagRow = { name: string; color: string | null; restricted: boolean };

/** Subscribers who are not on the list of a restricted tag do not hear of it. */
const marked = ({ restricted }: TagRow): { restricted?: true } => (restricted ? { restricted } : {});

async function requireTag(tx: Tx, actor: Actor, id: string): Promise<TagRow> {
  const where = { teamId_id: { teamId: actor.teamId, id } };
  const tag = await tx.tag.findUnique({ where, select: { name: true, color: true, restricted: true } });
  if (tag === null) throw notFound("Tag");
  return tag;
}
