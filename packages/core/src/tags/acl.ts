import type { Actor } from "@kb/auth";
import { newId, type Reader, sql, type Tx } from "@kb/db";
import { z } from "zod";
import { notFound } from "../errors.ts";
import { Ids, sameIds } from "../schema/names.ts";

const Named = z.object({ id: z.uuid(), name: z.string() });

/** A restricted tag with the users and groups that may see it, as tag managers see it. */
export const RestrictedTag = z
  .object({
    id: z.uuid(),
    name: z.string(),
    color: z.string().nullable(),
    groups: z.array(Named),
    users: z.array(Named),
    documentCount: z.int(),
  })
  .meta({ id: "RestrictedTag" });

/** A row of `restrictedColumns`. */
export type RestrictedTagRow = z.input<typeof RestrictedTag>;

/** The input fields that name the users and groups that see a tag. */
export const aclFields = { groupIds: Ids(100).optional(), userIds: Ids(1000).optional() };

/** The groups and users that may see a tag; absent lists stay as they are. */
export type Acl = {
  readonly groupIds?: readonly string[] | undefined;
  readonly userIds?: readonly string[] | undefined;
};

/**
 * The select list for `tags t`. `documentCount` includes documents that the caller may not read, since it reveals none
 * of them.
 */
export const restrictedColumns = sql`t.id, t.name, t.color,
  COALESCE((SELECT jsonb_agg(jsonb_build_object('id', o.id, 'name', o.name) ORDER BY lower(o.name), o.id)
    FROM tag_grants g JOIN groups o ON o."teamId" = g."teamId" AND o.id = g."groupId"
    WHERE g."teamId" = t."teamId" AND g."tagId" = t.id), '[]') AS groups,
  COALESCE((SELECT jsonb_agg(jsonb_build_object('id', u.id, 'name', u.name) ORDER BY lower(u.name), u.id)
    FROM tag_grants g JOIN users u ON u."teamId" = g."teamId" AND u.id = g."userId"
    WHERE g."teamId" = t."teamId" AND g."tagId" = t.id), '[]') AS users,
  (SELECT COALESCE(sum(k.count), 0)::int FROM document_tag_counts k
    WHERE k."teamId" = t."teamId" AND k."tagId" = t.id AND NOT k.archived) AS "documentCount"`;

/** Reads a restricted tag of the team. @throws {ServiceError} `not_found` */
export async function requireRestrictedTag(reader: Reader, actor: Actor, id: string): Promise<RestrictedTagRow> {
  const [row] = await reader.rows<RestrictedTagRow>(sql`SELECT ${restrictedColumns} FROM tags t
    WHERE t."teamId" = ${actor.teamId}::uuid AND t.id = ${id}::uuid AND t.restricted`);
  if (row === undefined) throw notFound("Tag");
  return row;
}

/**
 * Sets the groups and the users that see a tag; absent lists stay as they are.
 * @throws {ServiceError} `not_found`
 */
export async function setAcl(tx: Tx, teamId: string, tagId: string, { groupIds, userIds }: Acl): Promise<void> {
  if (groupIds !== undefined) {
    // Locks the groups and users until the list that names them is written.
    const groups = await tx.rows(sql`SELECT 1 FROM groups g WHERE g."teamId" = ${teamId}::uuid
      AND g.id = ANY(${groupIds}::uuid[]) ORDER BY g.id FOR KEY SHARE`);
    if (groups.length < groupIds.length) throw notFound("Group");
    await tx.tagGrant.deleteMany({ where: { teamId, tagId, groupId: { not: null } } });
    await tx.tagGrant.createMany({ data: groupIds.map((groupId) => ({ teamId, id: newId(), tagId, groupId })) });
  }
  if (userIds !== undefined) {
    const users = await tx.rows(sql`SELECT 1 FROM users u WHERE u."teamId" = ${teamId}::uuid
      AND u.id = ANY(${userIds}::uuid[]) ORDER BY u.id FOR KEY SHARE`);
    if (users.length < userIds.length) throw notFound("User");
    await tx.tagGrant.deleteMany({ where: { teamId, tagId, userId: { not: null } } });
    await tx.tagGrant.createMany({ data: userIds.map((userId) => ({ teamId, id: newId(), tagId, userId })) });
  }
}

/** Tells whether a tag's list already is the wanted one. */
export function sameAcl(tag: RestrictedTagRow, { groupIds, userIds }: Acl): boolean {
  const same = (ids: readonly string[] | undefined, named: readonly { id: string }[]): boolean =>
    ids === undefined ||
    sameIds(
      ids,
      named.map(({ id }) => id),
    );
  return same(groupIds, tag.groups) && same(userIds, tag.users);
}
