import { type Actor, knownTags } from "@kb/auth";
import { sql, stampChange, stampMoment, type Tx } from "@kb/db";
import { z } from "zod";
import type { WriteContext } from "../context.ts";
import { operation } from "../operation.ts";
import { Color, TagName } from "../schema/text.ts";
import { newTagId, Tag } from "./tag.ts";

const input = z.strictObject({ name: TagName, color: Color.nullish() });
type Request = z.output<typeof input>;
type CreatedTag = { readonly tag: z.input<typeof Tag>; readonly created: boolean };

/** Creates a tag, or returns the unrestricted one with the same normal form unchanged. */
export const createTag = operation({
  name: "tags.create",
  summary: "Create or reuse a tag",
  description:
    "Reuses a tag with the same normal form, with status 200 and its existing color. A restricted key that can read no document with the tag gets the same answer whether the tag existed or not.",
  scope: "write",
  capability: "tag.create",
  input,
  output: z.object({ tag: Tag, created: z.boolean() }),
  async run(context, request) {
    const { tx, outbox, actor, now } = context;
    const { teamId, userId } = actor;
    const { name, color = null } = request;
    const known = await findReusable(context, request);
    if (known !== null) return known;
    // A concurrent change may have created the tag while this one waited for the team's clock.
    await stampMoment(tx, teamId, now);
    const meanwhile = await findReusable(context, request);
    if (meanwhile !== null) return meanwhile;
    const stamp = await stampChange(tx, teamId, now);
    const tag = { id: newTagId(), name, color };
    await tx.execute(sql`INSERT INTO tags ("teamId", id, name, color, "createdById", "createdAt")
      VALUES (${teamId}::uuid, ${tag.id}::uuid, ${name}, ${color}, ${userId}::uuid, ${stamp.at})`);
    outbox.emit(stamp, [{ type: "tag.created", data: { id: tag.id, name } }]);
    return { tag, created: true };
  },
});

/** Finds the tag that the request reuses. Presents one that is hidden from a restricted key like a new one. */
async function findReusable({ tx, actor, audit }: WriteContext, request: Request): Promise<CreatedTag | null> {
  const { name, color = null } = request;
  const [tag] = await tx.rows<CreatedTag["tag"]>(sql`SELECT id, name, color FROM tags
    WHERE "teamId" = ${actor.teamId}::uuid AND NOT restricted AND name = ${name}`);
  if (tag === undefined) return null;
  audit.unchanged();
  const isHidden = actor.restrictedKeyId !== null && !(await isKnown(tx, actor, tag.id));
  return isHidden ? { tag: { ...tag, color }, created: true } : { tag, created: false };
}

async function isKnown(tx: Tx, actor: Actor, id: string): Promise<boolean> {
  const rows = await tx.rows(sql`SELECT 1 FROM tags t WHERE t.id = ${id}::uuid AND ${knownTags(actor)}`);
  return rows.length > 0;
}
