import { empty, sql } from "@kb/db";
import { z } from "zod";
import { query } from "../operation.ts";
import { readPage } from "../read-page.ts";
import { Limit, Offset, pageOf } from "../schema/paging.ts";
import { Id } from "../schema/text.ts";
import { type AppRow, appColumns, ConnectedApp, fromApps, presentApp, visibleApps } from "./app.ts";

/** Lists the apps that have access now, newest first. */
export const listApps = query({
  name: "oauth.apps.list",
  summary: "List connected apps",
  description:
    "Your own apps, or those of the whole team with the permission `developer.mcp`. Revoked and expired ones are not included.",
  scope: "read",
  capability: null,
  sessionOnly: true,
  input: z.strictObject({ userId: Id.optional(), limit: Limit, offset: Offset }),
  output: pageOf(ConnectedApp),
  async run({ reader, actor, now }, { userId, limit, offset }) {
    const where = sql`${visibleApps(actor)} AND g."revokedAt" IS NULL AND g."expiresAt" > ${now}${
      userId === undefined ? empty : sql` AND g."userId" = ${userId}::uuid`
    }`;
    const list = {
      columns: appColumns,
      from: sql`${fromApps} WHERE ${where}`,
      orderBy: sql`g."createdAt" DESC, g.id DESC`,
    };
    return readPage<AppRow, z.input<typeof ConnectedApp>>(reader, list, { limit, offset }, presentApp);
  },
});
