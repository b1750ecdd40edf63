import { createGrant, type GrantScope, issueCode, unnamedApp } from "@kb/auth";
import { sql, stampChange, type Tx } from "@kb/db";
import { z } from "zod";
import { readApproval, ShownApp } from "../app-requests/app-request.ts";
import { notFound, ServiceError } from "../errors.ts";
import { operation } from "../operation.ts";

/**
 * Allows an app for the user who consents in their browser. Writes a grant and the code with which the app gets its
 * first tokens. Only the authorization endpoint calls this, after it has checked the request.
 */
export const authorizeApp = operation({
  name: "oauth.authorize",
  summary: "Allow an app",
  scope: "write",
  capability: null,
  sessionOnly: true,
  freshProof: true,
  input: z.strictObject({
    ...ShownApp.shape,
    redirectUri: z.string(),
    codeChallenge: z.string(),
    resource: z.string(),
    scopes: z.array(z.enum(["read", "write"])).min(1),
  }),
  output: z.object({ id: z.uuid(), code: z.string() }),
  async run({ tx, outbox, actor, now, audit, oauth }, asked) {
    const { clientId, resource, scopes, redirectUri, codeChallenge } = asked;
    const shown = { clientId, name: asked.name, redirectUris: asked.redirectUris };
    const { teamId, userId, credential } = actor;
    if (oauth === undefined || credential.kind !== "session") {
      throw new ServiceError("forbidden", "Apps can only be allowed in the browser, and only where apps may connect.");
    }
    const { name } = await requireClient(tx, clientId);
    // Locks the team's clock before the grant's rows, in the same order as everything that allows or ends access.
    const stamp = await stampChange(tx, teamId, now);
    if ((await readApproval(tx, actor, shown)) !== "approved") {
      throw new ServiceError("forbidden", "An administrator of your team has to approve this app first.");
    }
    const wanted = { teamId, userId, sessionId: credential.id, clientId, scopes, resource };
    const grant = await createGrant(tx, wanted, { now, lifetimes: oauth.lifetimes });
    if (grant === null) throw await refusal(tx, teamId);
    const { grantId: id } = grant;
    const code = await issueCode(tx, grant, { redirectUri, codeChallenge }, { ...oauth, now });
    const data = { id, userId, clientId, name: name ?? unnamedApp, scope: scopeOf(scopes) };
    outbox.emit(stamp, [{ type: "app.authorized", data }]);
    audit.setTarget("oauth_grant", id);
    audit.addDetails({ clientId });
    return { id, code };
  },
});

const scopeOf = (scopes: readonly GrantScope[]): string => (scopes.includes("write") ? "read write" : "read");

/** Finds the app and keeps the clean-up from removing it until it is allowed. @throws {ServiceError} `not_found` */
export async function requireClient(tx: Tx, clientId: string): Promise<{ name: string | null }> {
  const [client] = await tx.rows<{ name: string | null }>(
    sql`SELECT name FROM oauth_clients WHERE id = ${clientId} FOR KEY SHARE`,
  );
  if (client === undefined) throw notFound("Connected app");
  return client;
}

/** Explains why the app may no longer be allowed, although it was possible when the page was shown. */
async function refusal(tx: Tx, teamId: string): Promise<ServiceError> {
  const team = await tx.team.findUnique({ where: { id: teamId }, select: { mcpEnabled: true } });
  return team?.mcpEnabled === true
    ? new ServiceError("forbidden", "Your session has ended. Log in again and start over from the app.")
    : new ServiceError("mcp_disabled", "MCP is switched off for this team.");
}
