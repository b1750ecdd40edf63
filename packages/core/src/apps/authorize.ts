import { createGrant, type GrantScope, issueCode, unnamedApp } from "@kb/auth";
import { sql, stampChange, type Tx } from "@kb/db";
import { z } from "zod";
import { notFound, ServiceError } from "../errors.ts";
import { emit } from "../events.ts";
import { operation } from "../operation.ts";

/**
 * Lets an app in, for the user who consents in their browser: a grant, and the code by which the app gets its first tokens.
 * The authorization endpoint has looked at the request; no edge offers this to others.
 */
export const authorizeApp = operation({
  name: "oauth.authorize",
  summary: "Allow an app",
  scope: "write",
  capability: null,
  sessionOnly: true,
  input: z.strictObject({
    clientId: z.string(),
    redirectUri: z.string(),
    codeChallenge: z.string(),
    resource: z.string(),
    scopes: z.array(z.enum(["read", "write"])).min(1),
  }),
  output: z.object({ id: z.uuid(), code: z.string() }),
  async run({ tx, actor, now, audit, oauth }, { clientId, resource, scopes, ...binding }) {
    const { teamId, userId, credential } = actor;
    if (oauth === undefined || credential.kind !== "session") {
      throw new ServiceError("forbidden", "Apps are allowed in the browser, where apps may connect at all.");
    }
    const { name } = await requireClient(tx, clientId);
    // Before the grant's rows: all that allows or ends something takes the team's clock first.
    const stamp = await stampChange(tx, teamId, now);
    const wanted = { teamId, userId, sessionId: credential.id, clientId, scopes, resource };
    const grant = await createGrant(tx, wanted, { now, lifetimes: oauth.lifetimes });
    if (grant === null) throw await refusal(tx, teamId);
    const { grantId: id } = grant;
    const code = await issueCode(tx, grant, binding, { ...oauth, now });
    const data = { id, userId, clientId, name: name ?? unnamedApp, scope: scopeOf(scopes) };
    await emit(tx, actor, stamp, [{ type: "app.authorized", data }]);
    audit.about("oauth_grant", id);
    audit.note({ clientId });
    return { id, code };
  },
});

const scopeOf = (scopes: readonly GrantScope[]): string => (scopes.includes("write") ? "read write" : "read");

/** The app, kept from being cleaned away until it is allowed. @throws {ServiceError} `not_found` */
async function requireClient(tx: Tx, clientId: string): Promise<{ name: string | null }> {
  const [client] = await tx.rows<{ name: string | null }>(
    sql`SELECT name FROM oauth_clients WHERE id = ${clientId} FOR KEY SHARE`,
  );
  if (client === undefined) throw notFound("Connected app");
  return client;
}

/** Why nothing may be allowed any more, though it was when the page was shown. */
async function refusal(tx: Tx, teamId: string): Promise<ServiceError> {
  const team = await tx.team.findUnique({ where: { id: teamId }, select: { mcpEnabled: true } });
  return team?.mcpEnabled === true
    ? new ServiceError("forbidden", "Your log-in has ended. Log in again, and start once more from the app.")
    : new ServiceError("mcp_disabled", "MCP is switched off for this team.");
}
