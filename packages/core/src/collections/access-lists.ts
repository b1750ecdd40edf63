import { sql } from "@kb/db";
import { z } from "zod";
import { query } from "../operation.ts";
import { Limit, Offset } from "../schema/paging.ts";
import { Id, SearchQuery } from "../schema/text.ts";
import { DefaultAccess } from "./default-access.ts";
import { Grant, Grantee, type GrantRow, grantsOf, presentGrant } from "./grant.ts";
import { requireCollection } from "./row.ts";

const forManagers = { scope: "read", capability: "collection.edit", sessionOnly: true } as const;

/** Lists the grants of a collection and its default access. */
export const listGrants = query({
  name: "collections.grants.list",
  summary: "List who has access to a collection",
  description: "Only for managers of the collection. `defaultAccess` is the access of every member of the team.",
  ...forManagers,
  input: z.strictObject({ id: Id, limit: Limit, offset: Offset }),
  output: z.object({
    defaultAccess: DefaultAccess,
    total: z.int(),
    limit: z.int(),
    offset: z.int(),
    data: z.array(Grant),
  }),
  async run({ reader, actor }, { id, limit, offset }) {
    await requireCollection(reader, actor, "manage", id);
    const relation = grantsOf(actor.teamId, id);
    const [rows, [counted]] = await Promise.all([
      reader.rows<GrantRow>(sql`SELECT r.* FROM ${relation}
        ORDER BY r.level DESC, r.type, lower(r.name), r."granteeId" LIMIT ${limit} OFFSET ${offset}`),
      reader.rows<{ total: number; defaultAccess: z.output<typeof DefaultAccess> }>(sql`SELECT c."defaultAccess",
        (SELECT count(*)::int FROM ${relation}) AS total FROM collections c
        WHERE c."teamId" = ${actor.teamId}::uuid AND c.id = ${id}::uuid`),
    ]);
    const { total = 0, defaultAccess = "none" } = counted ?? {};
    return { defaultAccess, total, limit, offset, data: rows.map(presentGrant) };
  },
});

type GranteeRow = { type: "user" | "group"; id: string; name: string };

/**
 * Finds users and groups that may be given access and have no grant yet, as another one would replace it. Shows only names,
 * so that managers of a collection need no permission to manage users.
 */
export const listGrantCandidates = query({
  name: "collections.grants.candidates",
  summary: "Find users and groups for access to a collection",
  description:
    "Only for managers of the collection. Returns active users and groups without a grant whose names contain `query`.",
  ...forManagers,
  input: z.strictObject({ id: Id, query: SearchQuery.optional(), limit: Limit }),
  output: z.array(Grantee),
  async run({ reader, actor }, { id, query: wanted = "", limit }) {
    await requireCollection(reader, actor, "manage", id);
    const named = sql`strpos(lower(n.name), lower(${wanted.trim()})) > 0`;
    return reader.rows<GranteeRow>(sql`SELECT n.type, n.id, n.name FROM (
        SELECT 'group' AS type, g.id, g.name FROM groups g WHERE g."teamId" = ${actor.teamId}::uuid
        UNION ALL
        SELECT 'user', u.id, u.name FROM users u WHERE u."teamId" = ${actor.teamId}::uuid AND u."suspendedAt" IS NULL
      ) n WHERE ${named} AND NOT EXISTS (SELECT 1 FROM ${grantsOf(actor.teamId, id)} WHERE r."granteeId" = n.id)
      ORDER BY n.type, lower(n.name), n.id LIMIT ${limit}`);
  },
});
