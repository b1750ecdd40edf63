import { newId, stampChange, stampMoment } from "@kb/db";
import { z } from "zod";
import { emit } from "../events.ts";
import { operation, type WriteContext } from "../operation.ts";
import { Color, TagName } from "../schema/text.ts";
import { Tag } from "./tag.ts";

function reused<T>(audit: WriteContext["audit"], tag: T) {
  audit.nothing();
  return { tag, created: false };
}

/** Creates a tag, or gives the unrestricted one that has the same normal form, as it is. */
export const createTag = operation({
  name: "tags.create",
  summary: "Create or reuse a tag",
  description: "A tag with the same normal form is reused and answered with 200; its colour stays.",
  scope: "write",
  capability: "tag.create",
  input: z.strictObject({ name: TagName, color: Color.nullish() }),
  output: z.object({ tag: Tag, created: z.boolean() }),
  async run({ tx, actor, now, audit }, { name, color }) {
    const { teamId, userId } = actor;
    const where = { teamId_restricted_name: { teamId, restricted: false, name } };
    const select = { id: true, name: true, color: true } as const;
    const known = await tx.tag.findUnique({ where, select });
    if (known !== null) return reused(audit, known);
    // The lock of the team's clock may have waited for the change that made it.
    await stampMoment(tx, teamId, now);
    const meanwhile = await tx.tag.findUnique({ where, select });
    if (meanwhile !== null) return reused(audit, meanwhile);
    const stamp = await stampChange(tx, teamId, now);
    const tag = await tx.tag.create({
      data: { teamId, id: newId(), name, color: color ?? null, createdById: userId, createdAt: stamp.at },
      select,
    });
    await emit(tx, actor, stamp, [{ type: "tag.created", data: { id: tag.id, name } }]);
    return { tag, created: true };
  },
});
