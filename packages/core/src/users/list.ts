import { empty, sql } from "@kb/db";
import { z } from "zod";
import { query } from "../operation.ts";
import { readPage } from "../read-page.ts";
import { type Edge, requireWholeTeam } from "../require-whole-team.ts";
import { Limit, Offset, pageOf } from "../schema/paging.ts";
import { Id, SearchQuery } from "../schema/text.ts";
import { presentUser, TeamUser, type UserRow, userColumns } from "./user.ts";

const listing = (edge: Edge) =>
  query({
    ...edge,
    summary: "List the users of the team",
    capability: "settings.members",
    input: z.strictObject({
      query: SearchQuery.optional(),
      groupId: Id.optional(),
      suspended: z.boolean().optional(),
      limit: Limit,
      offset: Offset,
    }),
    output: pageOf(TeamUser),
    async run({ reader, actor }, { query: wanted, groupId, suspended, limit, offset }) {
      requireWholeTeam(actor, "list the users");
      const where = sql`u."teamId" = ${actor.teamId}::uuid
        ${wanted === undefined ? empty : sql`AND strpos(lower(u.name || ' ' || u.email), lower(${wanted.trim()})) > 0`}
        ${suspended === undefined ? empty : sql`AND (u."suspendedAt" IS NOT NULL) = ${suspended}`}
        ${groupId === undefined ? empty : sql`AND EXISTS (SELECT 1 FROM memberships m WHERE m."teamId" = u."teamId" AND m."userId" = u.id AND m."groupId" = ${groupId}::uuid)`}`;
      const list = {
        columns: userColumns,
        from: sql`users u WHERE ${where}`,
        orderBy: sql`lower(u.name), u.id`,
      };
      return readPage<UserRow, z.input<typeof TeamUser>>(reader, list, { limit, offset }, presentUser);
    },
  });

/** Lists the users of the team by name. */
export const listUsers = listing({ name: "users.list", scope: "read", sessionOnly: true });

/** Lists the users for an API key of scope `admin`. */
export const listUsersByKey = listing({ name: "admin.users.list", scope: "admin" });
