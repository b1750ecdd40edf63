import { empty, sql } from "@kb/db";
import { z } from "zod";
import { query } from "../operation.ts";
import { readPage } from "../read-page.ts";
import { requireCapability } from "../require-capability.ts";
import { Ids } from "../schema/names.ts";
import { Limit, Offset, pageOf } from "../schema/paging.ts";
import { SearchQuery } from "../schema/text.ts";

/** A user as everybody in the team sees them. */
const Member = z
  .object({
    id: z.uuid(),
    name: z.string(),
    suspended: z.boolean(),
    /** The version of their picture, at `/people/{id}/picture?version={picture}` for the session; null without one. */
    picture: z.string().nullable(),
  })
  .meta({ id: "DirectoryUser" });

const pictureOf = sql`(SELECT p.version FROM user_pictures p WHERE p."teamId" = u."teamId" AND p."userId" = u.id)`;

const isAdministrator = sql`u."suspendedAt" IS NULL AND EXISTS (SELECT 1 FROM memberships m
  JOIN groups g ON g."teamId" = m."teamId" AND g.id = m."groupId"
  WHERE m."teamId" = u."teamId" AND m."userId" = u.id AND g."builtIn" = 'admins')`;

/**
 * Lists the names of the people of the team, for everybody who may read documents: documents name them. Those who may read
 * nothing yet see who administers the team, and so can give them access.
 */
export const listDirectory = query({
  name: "users.directory",
  summary: "List the names of the people of the team",
  description: "Names and pictures only, by name. `users.list` has the rest, for those who manage people.",
  scope: "read",
  capability: null,
  sessionOnly: true,
  input: z.strictObject({
    query: SearchQuery.optional(),
    ids: Ids(100).optional(),
    administrators: z.boolean().optional(),
    limit: Limit,
    offset: Offset,
  }),
  output: pageOf(Member),
  async run({ reader, actor }, { query: wanted, ids, administrators, limit, offset }) {
    if (administrators !== true) requireCapability(actor, "document.read");
    const where = sql`u."teamId" = ${actor.teamId}::uuid
      ${wanted === undefined ? empty : sql`AND strpos(lower(u.name), lower(${wanted.trim()})) > 0`}
      ${ids === undefined ? empty : sql`AND u.id = ANY(${ids}::uuid[])`}
      ${administrators === true ? sql`AND ${isAdministrator}` : empty}`;
    const list = {
      columns: sql`u.id, u.name, u."suspendedAt" IS NOT NULL AS suspended, ${pictureOf} AS picture`,
      from: sql`users u WHERE ${where}`,
      orderBy: sql`lower(u.name), u.id`,
    };
    const present = (row: z.input<typeof Member>): z.input<typeof Member> => row;
    return readPage(reader, list, { limit, offset }, present);
  },
});
