import { holds } from "@kb/auth";
import { sql } from "@kb/db";
import { z } from "zod";
import { ServiceError } from "../errors.ts";
import { query } from "../operation.ts";
import { Limit, Offset, pageOf } from "../schema/paging.ts";
import { Group, type GroupRow, groupColumns, presentGroup } from "./group.ts";

/** The groups of the team: the four that are built in, then its own by name. */
export const listGroups = query({
  name: "groups.list",
  summary: "List the groups of the team",
  description: "For those who hold `settings.groups` or `settings.members`.",
  scope: "read",
  // Who puts people into groups has to find them too.
  capability: null,
  sessionOnly: true,
  input: z.strictObject({ limit: Limit, offset: Offset }),
  output: pageOf(Group),
  async run({ reader, actor }, { limit, offset }) {
    if (!holds(actor, "settings.groups") && !holds(actor, "settings.members")) {
      throw new ServiceError("forbidden", "This needs the permission `settings.groups` or `settings.members`.");
    }
    const where = sql`g."teamId" = ${actor.teamId}::uuid`;
    const [rows, [counted]] = await Promise.all([
      reader.rows<GroupRow>(sql`SELECT ${groupColumns} FROM groups g WHERE ${where}
        ORDER BY array_position(ARRAY['admins', 'editors', 'members', 'viewers'], g."builtIn"), lower(g.name), g.id
        LIMIT ${limit} OFFSET ${offset}`),
      reader.rows<{ total: number }>(sql`SELECT count(*)::int AS total FROM groups g WHERE ${where}`),
    ]);
    return { total: counted?.total ?? 0, limit, offset, data: rows.map(presentGroup) };
  },
});
