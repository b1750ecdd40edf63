import { sql } from "@kb/db";
import { z } from "zod";
import { query } from "../operation.ts";
import { readPage } from "../read-page.ts";
import { requireCapability } from "../require-capability.ts";
import { Limit, Offset, pageOf } from "../schema/paging.ts";
import { Group, type GroupRow, groupColumns, presentGroup } from "./group.ts";

/** Lists the groups of the team: the four built-in ones, then the custom ones by name. */
export const listGroups = query({
  name: "groups.list",
  summary: "List the groups of the team",
  description: "Needs the permission `settings.groups` or `settings.members`.",
  scope: "read",
  // Users who may assign members to groups need the list too.
  capability: null,
  sessionOnly: true,
  input: z.strictObject({ limit: Limit, offset: Offset }),
  output: pageOf(Group),
  async run({ reader, actor }, { limit, offset }) {
    requireCapability(actor, "settings.groups", "settings.members");
    const list = {
      columns: groupColumns,
      from: sql`groups g WHERE g."teamId" = ${actor.teamId}::uuid`,
      orderBy: sql`array_position(ARRAY['admins', 'editors', 'members', 'viewers'], g."builtIn"), lower(g.name), g.id`,
    };
    return readPage<GroupRow, z.input<typeof Group>>(reader, list, { limit, offset }, presentGroup);
  },
});
