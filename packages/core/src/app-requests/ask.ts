import { recordClientUse } from "@kb/auth";
import { newId, sql, stampMoment } from "@kb/db";
import { z } from "zod";
import { requireClient } from "../apps/authorize.ts";
import { ServiceError } from "../errors.ts";
import { operation } from "../operation.ts";
import { readApproval, ShownApp } from "./app-request.ts";

/** The most apps that a member has asked for and nobody has approved. */
const mostOpen = 20;

/**
 * Asks for the approval of an app. Without effect where none is needed, and where somebody has asked already. Only the
 * authorization endpoint calls this, after it has checked the request of the app.
 */
export const askForApp = operation({
  name: "oauth.apps.ask",
  summary: "Ask for the approval of an app",
  scope: "write",
  capability: null,
  sessionOnly: true,
  input: ShownApp,
  output: z.object({ approval: z.enum(["approved", "asked"]) }),
  async run({ tx, actor, now, audit }, app) {
    const { clientId, name, redirectUris } = app;
    const { teamId, userId } = actor;
    await requireClient(tx, clientId);
    // The lock of the clock makes concurrent calls run one after another.
    const at = await stampMoment(tx, teamId, now);
    const approval = await readApproval(tx, actor, app);
    if (approval !== "needed") {
      audit.unchanged();
      return { approval };
    }
    // A request for what the app was before is void. The new one gets an id of its own, so that nobody approves what they did
    // not see.
    await tx.appRequest.deleteMany({ where: { teamId, clientId } });
    const open = await tx.appRequest.count({ where: { teamId, userId, approvedAt: null } });
    if (open >= mostOpen) {
      throw new ServiceError(
        "conflict",
        `You have asked for ${mostOpen} apps. Wait until an administrator has decided.`,
      );
    }
    const id = newId();
    await tx.execute(sql`INSERT INTO app_requests ("teamId", id, "clientId", name, "redirectUris", "userId", "createdAt")
      VALUES (${teamId}::uuid, ${id}::uuid, ${clientId}, ${name}, ${redirectUris}::text[], ${userId}::uuid,
        ${at}::timestamptz)`);
    // Registrations of strangers delete unused clients, and with them their requests.
    await recordClientUse(tx, clientId, now);
    audit.setTarget("app_request", id);
    audit.addDetails({ clientId });
    return { approval: "asked" as const };
  },
});
