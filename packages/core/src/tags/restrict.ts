import { newId, sql, stampChange, stampMoment, type Tx } from "@kb/db";
import { z } from "zod";
import { invalid, ServiceError } from "../errors.ts";
import { emit } from "../events.ts";
import { operation, query, type WriteContext } from "../operation.ts";
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

/** The restricted tags of the team with their lists, for those who set them up, on the list themselves or not. */
export const listRestricted = query({
  name: "tags.listRestricted",
  summary: "List the restricted tags of the team",
  description: "With who sees each. Everywhere else a restricted tag is shown to those on its list alone.",
  scope: "read",
  capability: "tag.manage",
  sessionOnly: true,
  input: z.strictObject({ limit: Limit, offset: Offset }),
  output: pageOf(RestrictedTag),
  async run({ reader, actor }, { limit, offset }) {
    const where = sql`t."teamId" = ${actor.teamId}::uuid AND t.restricted`;
    const [rows, [counted]] = await Promise.all([
      reader.rows<RestrictedTagRow>(sql`SELECT ${restrictedColumns} FROM tags t WHERE ${where}
        ORDER BY t.name, t.id LIMIT ${limit} OFFSET ${offset}`),
      reader.rows<{ total: number }>(sql`SELECT count(*)::int AS total FROM tags t WHERE ${where}`),
    ]);
    return { total: counted?.total ?? 0, limit, offset, data: rows };
  },
});

/** Makes a restricted tag, or sets who sees one. */
export const restrictTag = operation({
  name: "tags.restrict",
  summary: "Create a restricted tag, or set who sees one",
  description:
    "Without `id` it creates one; an unrestricted tag of the same name may stand beside it. With `id` it replaces the groups or the users on the list of that one.",
  scope: "write",
  capability: "tag.manage",
  sessionOnly: true,
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
    if (name !== undefined) throw invalid("name", "Is changed by tags.update");
    if (color !== undefined) throw invalid("color", "Is changed by tags.update");
    return { tag: await alter(context, id, acl), created: false };
  },
});

async function create(context: WriteContext, name: string, color: string | null, acl: Acl): Promise<RestrictedTagRow> {
  const { tx, actor, now } = context;
  const { teamId, userId } = actor;
  const stamp = await stampChange(tx, teamId, now);
  await requireFreeTagName(tx, teamId, name, true);
  const id = newId();
  const data = { teamId, id, name, color, restricted: true, createdById: userId, createdAt: stamp.at };
  await tx.tag.create({ data });
  await setAcl(tx, teamId, id, acl);
  await requireSeen(tx, teamId, id);
  await emit(tx, actor, stamp, [{ type: "tag.created", data: { id, name, restricted: true } }]);
  return requireRestrictedTag(tx, actor, id);
}

async function alter(context: WriteContext, id: string, acl: Acl): Promise<RestrictedTagRow> {
  const { tx, actor, now } = context;
  const { teamId } = actor;
  await stampMoment(tx, teamId, now);
  const before = await requireRestrictedTag(tx, actor, id);
  if (sameAcl(before, acl)) {
    context.audit.nothing();
    return before;
  }
  const stamp = await stampChange(tx, teamId, now);
  await setAcl(tx, teamId, id, acl);
  await requireSeen(tx, teamId, id);
  const data = { id, name: before.name, changed: ["access"], restricted: true };
  await emit(tx, actor, stamp, [{ type: "tag.updated", data }]);
  return requireRestrictedTag(tx, actor, id);
}

/** @throws {ServiceError} `validation_error` for a list that names nobody: nobody could ever put the tag on anything. */
async function requireSeen(tx: Tx, teamId: string, tagId: string): Promise<void> {
  if ((await tx.tagGrant.count({ where: { teamId, tagId } })) > 0) return;
  throw invalid("groupIds", "Name at least one group or user who sees the tag");
}

/** @throws {ServiceError} `conflict` when another tag of the same kind has the name. Called under the team's clock. */
export async function requireFreeTagName(tx: Tx, teamId: string, name: string, restricted: boolean): Promise<void> {
  const where = { teamId_restricted_name: { teamId, restricted, name } };
  if ((await tx.tag.findUnique({ where, select: { id: true } })) === null) return;
  const kind = restricted ? "restricted tag" : "tag";
  throw new ServiceError("conflict", `There is a ${kind} "${name}" already.`, {
    details: [{ path: "name", message: "Is taken" }],
  });
}
