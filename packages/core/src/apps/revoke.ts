import { stampMoment } from "@kb/db";
import { z } from "zod";
import { operation } from "../operation.ts";
import { Id } from "../schema/text.ts";
import { ConnectedApp, presentApp, requireApp } from "./app.ts";
import { endGrants } from "./end-grants.ts";

/**
 * Disconnects an app: its tokens are refused from the next request on, and its streams end. A repeat keeps the time of
 * the first call.
 */
export const revokeApp = operation({
  name: "oauth.apps.revoke",
  summary: "Disconnect an app",
  description:
    "Your own app, or any app with the permission `developer.mcp`. Ends its tokens and open connections at once.",
  scope: "write",
  capability: null,
  sessionOnly: true,
  input: z.strictObject({ id: Id }),
  output: ConnectedApp,
  async run(context, { id }) {
    const { tx, actor, now, audit } = context;
    audit.setTarget("oauth_grant", id);
    // Of several concurrent calls, one revokes the app; the others find it revoked.
    await stampMoment(tx, actor.teamId, now);
    const before = await requireApp(tx, actor, id);
    if (before.revokedAt !== null) {
      audit.unchanged();
      return presentApp(before);
    }
    await endGrants(context, { grantId: id }, "revoked");
    return presentApp(await requireApp(tx, actor, id));
  },
});
