import { sql, stampChange, stampMoment, type Tx } from "@kb/db";
import { z } from "zod";
import type { WriteContext } from "../context.ts";
import { invalid, ServiceError } from "../errors.ts";
import { operation, query } from "../operation.ts";
import { readPage } from "../read-page.ts";
import { Limit, Offset, pageOf } from "../schema/paging.ts";
import { Color, Id, TagName } from "../schema/text.ts";
import {
  type Acl,
  aclFields,
  RestrictedTag,
  type RestrictedTagRow,
  requireRestrictedTag,
  restrictedColumns,
  sameAcl,
  setAcl,
} from "./acl.ts";
import { newTagId } from "./tag.ts";

/** Lists the restricted tags of the team with the users and groups that see each, for tag managers. */
export const listRestricted = query({
  name: "tags.listRestricted",
  summary: "List the restricted tags of the team",
  description: "Includes the users and groups that may see each tag. Everywhere else, only they see it.",
  scope: "read",
  capability: "tag.manage",
  sessionOnly: true,
  input: z.strictObject({ limit: Limit, offset: Offset }),
  output: pageOf(RestrictedTag),
  async run({ reader, actor }, { limit, offset }) {
    const list = {
      columns: restrictedColumns,
      from: sql`tags t WHERE t."teamId" = ${actor.teamId}::uuid AND t.restricted`,
      orderBy: sql`t.name, t.id`,
    };
    return readPage<RestrictedTagRow, RestrictedTagRow>(reader, list, { limit, offset }, (row) => row);
  },
});

/** Creates a restricted tag, or sets who may see one. */
export const restrictTag = operation({
  name: "tags.restrict",
  summary: "Create a restricted tag, or set who sees one",
  description:
    "Without `id`, creates a tag; an unrestricted tag may have the same name. With `id`, replaces the groups or the users that may see the tag.",
  scope: "write",
  capability: "tag.manage",
  sessionOnly: true,
  freshProof: true,
  input: z.strictObject({
    id: Id.optional(),
    name: TagName.optional(),
    color: Color.nullish(),
    ...aclFields,
  }),
  output: z.object({ tag: RestrictedTag, created: z.boolean() }),
  async run(context, { id, name, color, ...acl }) {
    if (id === undefined) {
      if (name === undefined) throw invalid("name", "Required for a new tag");
      return { tag: await create(context, name, color ?? null, acl), created: true };
    }
    if (name !== undefined) throw invalid("name", "Use tags.update to change it");
    if (color !== undefined) throw invalid("color", "Use tags.update to change it");
    return { tag: await alter(context, id, acl), created: false };
  },
});

async function create(context: WriteContext, name: string, color: string | null, acl: Acl): Promise<RestrictedTagRow> {
  const { tx, outbox, actor, now } = context;
  const { teamId, userId } = actor;
  const stamp = await stampChange(tx, teamId, now);
  await requireFreeTagName(tx, teamId, name, true);
  const id = newTagId();
  const data = { teamId, id, name, color, restricted: true, createdById: userId, createdAt: stamp.at };
  await tx.tag.create({ data });
  await setAcl(tx, teamId, id, acl);
  await requireSeen(tx, teamId, id);
  outbox.emit(stamp, [{ type: "tag.created", data: { id, name, restricted: true } }]);
  return requireRestrictedTag(tx, actor, id);
}

async function alter(context: WriteContext, id: string, acl: Acl): Promise<RestrictedTagRow> {
  const { tx, outbox, actor, now } = context;
  const { teamId } = actor;
  await stampMoment(tx, teamId, now);
  const before = await requireRestrictedTag(tx, actor, id);
  if (sameAcl(before, acl)) {
    context.audit.unchanged();
    return before;
  }
  const stamp = await stampChange(tx, teamId, now);
  await setAcl(tx, teamId, id, acl);
  await requireSeen(tx, teamId, id);
  const data = { id, name: before.name, changed: ["access"], restricted: true };
  outbox.emit(stamp, [{ type: "tag.updated", data }]);
  return requireRestrictedTag(tx, actor, id);
}

/** Requires that a user sees the tag; otherwise nobody could use it. @throws {ServiceError} `validation_error` */
async function requireSeen(tx: Tx, teamId: string, tagId: string): Promise<void> {
  if ((await tx.tagGrant.count({ where: { teamId, tagId } })) > 0) return;
  throw invalid("groupIds", "Name at least one group or user that may see the tag");
}

/**
 * Requires that no other tag of the same kind has the name. Call it under the team's clock.
 * @throws {ServiceError} `conflict`
 */
export async function requireFreeTagName(tx: Tx, teamId: string, name: string, restricted: boolean): Promise<void> {
  const where = { teamId_restricted_name: { teamId, restricted, name } };
  if ((await tx.tag.findUnique({ where, select: { id: true } })) === null) return;
  const kind = restricted ? "restricted tag" : "tag";
  throw new ServiceError("conflict", `A ${kind} named "${name}" already exists.`, {
    details: [{ path: "name", message: "Is taken" }],
  });
}
