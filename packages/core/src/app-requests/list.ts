import { sql } from "@kb/db";
import { z } from "zod";
import { query } from "../operation.ts";
import { readPage } from "../read-page.ts";
import { Limit, Offset, pageOf } from "../schema/paging.ts";
import { AppRequest, fromRequests, presentRequest, type RequestRow, requestColumns } from "./app-request.ts";

/** Lists the apps that members asked to connect: those that wait first, then by time. */
export const listAppRequests = query({
  name: "oauth.apps.requests",
  summary: "List apps to approve",
  description: "Those that wait for a decision first. An app that nobody connects disappears after 30 days.",
  scope: "read",
  capability: "developer.mcp",
  sessionOnly: true,
  input: z.strictObject({ limit: Limit, offset: Offset }),
  output: pageOf(AppRequest),
  async run({ reader, actor }, paging) {
    const list = {
      columns: requestColumns,
      from: sql`${fromRequests} WHERE r."teamId" = ${actor.teamId}::uuid`,
      orderBy: sql`r."approvedAt" IS NOT NULL, r."createdAt" DESC, r.id DESC`,
    };
    return readPage<RequestRow, z.input<typeof AppRequest>>(reader, list, paging, presentRequest);
  },
});
