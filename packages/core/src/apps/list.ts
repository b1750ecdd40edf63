import { empty, sql } from "@kb/db";
import { z } from "zod";
import { query } from "../operation.ts";
import { Limit, Offset, pageOf } from "../schema/paging.ts";
import { Id } from "../schema/text.ts";
import { type AppRow, appColumns, ConnectedApp, fromApps, presentApp, seenApps } from "./app.ts";

/** The apps that have access now, the latest first. */
export const listApps = query({
  name: "oauth.apps.list",
  summary: "List connected apps",
  description:
    "The caller's own; those of the whole team for who holds `developer.mcp`. What was revoked or ran out is left out.",
  scope: "read",
  capability: null,
  sessionOnly: true,
  input: z.strictObject({ userId: Id.optional(), limit: Limit, offset: Offset }),
  output: pageOf(ConnectedApp),
  async run({ reader, actor, now }, { userId, limit, offset }) {
    const where = sql`${seenApps(actor)} AND g."revokedAt" IS NULL AND g."expiresAt" > ${now}${
      userId === undefined ? empty : sql` AND g."userId" = ${userId}::uuid`
    }`;
    const [rows, [counted]] = await Promise.all([
      reader.rows<AppRow>(sql`SELECT ${appColumns} FROM ${fromApps} WHERE ${where}
        ORDER BY g."createdAt" DESC, g.id DESC LIMIT ${limit} OFFSET ${offset}`),
      reader.rows<{ total: number }>(sql`SELECT count(*)::int AS total FROM ${fromApps} WHERE ${where}`),
    ]);
    return { total: counted?.total ?? 0, limit, offset, data: rows.map(presentApp) };
  },
});
