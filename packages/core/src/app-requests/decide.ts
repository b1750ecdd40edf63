import type { Actor } from "@kb/auth";
import { type Reader, sql, stampMoment } from "@kb/db";
import { z } from "zod";
import { endGrants } from "../apps/end-grants.ts";
import { notFound } from "../errors.ts";
import { operation } from "../operation.ts";
import { Id } from "../schema/text.ts";
import { AppRequest, fromRequests, presentRequest, type RequestRow, requestColumns } from "./app-request.ts";

/** Approves an app for the whole team: every member may connect it. A repeat keeps the time of the first call. */
export const approveApp = operation({
  name: "oauth.apps.approve",
  summary: "Approve an app",
  description: "Every member of the team may connect it from now on, each for their own account.",
  scope: "write",
  capability: "developer.mcp",
  sessionOnly: true,
  freshProof: true,
  input: z.strictObject({ id: Id }),
  output: AppRequest,
  async run({ tx, actor, now, audit }, { id }) {
    const { teamId, userId } = actor;
    audit.setTarget("app_request", id);
    const at = await stampMoment(tx, teamId, now);
    const before = await requireRequest(tx, actor, id);
    audit.addDetails({ clientId: before.clientId });
    if (before.approvedAt !== null) {
      audit.unchanged();
      return presentRequest(before);
    }
    await tx.execute(sql`UPDATE app_requests r SET "approvedAt" = ${at}::timestamptz, "approvedById" = ${userId}::uuid
      WHERE r."teamId" = ${teamId}::uuid AND r.id = ${id}::uuid`);
    return presentRequest({ ...before, approvedAt: at });
  },
});

/** Refuses an app, or takes its approval back, and ends its connections in the team. */
export const refuseApp = operation({
  name: "oauth.apps.refuse",
  summary: "Refuse an app",
  description:
    "Also takes an approval back. Every connection of the app in the team ends at once. A member may ask again.",
  scope: "write",
  capability: "developer.mcp",
  sessionOnly: true,
  input: z.strictObject({ id: Id }),
  output: AppRequest,
  async run(context, { id }) {
    const { tx, actor, now, audit } = context;
    const { teamId } = actor;
    audit.setTarget("app_request", id);
    await stampMoment(tx, teamId, now);
    const before = await requireRequest(tx, actor, id);
    audit.addDetails({ clientId: before.clientId });
    await tx.appRequest.deleteMany({ where: { teamId, id } });
    await endGrants(context, { clientId: before.clientId }, "app_refused");
    return presentRequest(before);
  },
});

/** @throws {ServiceError} `not_found` */
async function requireRequest(reader: Reader, { teamId }: Actor, id: string): Promise<RequestRow> {
  const [row] = await reader.rows<RequestRow>(sql`SELECT ${requestColumns} FROM ${fromRequests}
    WHERE r."teamId" = ${teamId}::uuid AND r.id = ${id}::uuid`);
  if (row === undefined) throw notFound("App request");
  return row;
}
