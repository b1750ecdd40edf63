import { sql } from "@kb/db";
import { z } from "zod";
import { query } from "../operation.ts";
import { readPage } from "../read-page.ts";
import { requireCapability } from "../require-capability.ts";
import { type Edge, requireWholeTeam } from "../require-whole-team.ts";
import { Limit, Offset, pageOf } from "../schema/paging.ts";
import { Group, type GroupRow, groupColumns, presentGroup } from "./group.ts";

const listing = (edge: Edge) =>
  query({
    ...edge,
    summary: "List the groups of the team",
    description: "Needs the permission `settings.groups` or `settings.members`.",
    // Users who may assign members to groups need the list too.
    capability: null,
    input: z.strictObject({ limit: Limit, offset: Offset }),
    output: pageOf(Group),
    async run({ reader, actor }, { limit, offset }) {
      requireWholeTeam(actor, "list the groups");
      requireCapability(actor, "settings.groups", "settings.members");
      const list = {
        columns: groupColumns,
        from: sql`groups g WHERE g."teamId" = ${actor.teamId}::uuid`,
        orderBy: sql`array_position(ARRAY['admins', 'editors', 'members', 'viewers'], g."builtIn"), lower(g.name), g.id`,
      };
      return readPage<GroupRow, z.input<typeof Group>>(reader, list, { limit, offset }, presentGroup);
    },
  });

/** Lists the groups of the team: the four built-in ones, then the custom ones by name. */
export const listGroups = listing({ name: "groups.list", scope: "read", sessionOnly: true });

/** Lists the groups for an API key of scope `admin`. */
export const listGroupsByKey = listing({ name: "admin.groups.list", scope: "admin" });
