import { stampMoment } from "@kb/db";
import { z } from "zod";
import { operation } from "../operation.ts";
import { Id } from "../schema/text.ts";
import { ConnectedApp, presentApp, requireApp } from "./app.ts";
import { endGrants } from "./end-grants.ts";

/** Disconnects an app: the next request with a token of it is refused, and its streams end. A repeat keeps the first time. */
export const revokeApp = operation({
  name: "oauth.apps.revoke",
  summary: "Disconnect an app",
  description:
    "The caller's own, or anybody's for who holds `developer.mcp`. Its tokens and open connections end at once.",
  scope: "write",
  capability: null,
  sessionOnly: true,
  input: z.strictObject({ id: Id }),
  output: ConnectedApp,
  async run({ tx, actor, now, call, audit }, { id }) {
    const { teamId } = actor;
    audit.about("oauth_grant", id);
    // Of many who revoke it at once one does; the others see that it is done.
    await stampMoment(tx, teamId, now);
    const before = await requireApp(tx, actor, id);
    if (before.revokedAt !== null) {
      audit.nothing();
      return presentApp(before);
    }
    await endGrants(tx, { teamId, grantId: id }, { reason: "revoked", by: actor, now, call });
    return presentApp(await requireApp(tx, actor, id));
  },
});
