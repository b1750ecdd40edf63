import { sql } from "@kb/db";
import type { Actor, McpSwitch, Scope } from "./actor.ts";
import { knownCapabilities } from "./capabilities.ts";

/** The columns of the user that every look-up of a credential reads. */
export type ActorRow = {
  readonly teamId: string;
  readonly userId: string;
  readonly userName: string;
  readonly email: string;
  readonly systemAdmin: boolean;
  readonly groupIds: string[];
  readonly capabilities: string[];
};

/** Selects an `ActorRow`; `u` is the row of the user. */
export const actorColumns = sql`u."teamId", u.id AS "userId", u.name AS "userName", u.email, u."systemAdmin",
  ARRAY(SELECT m."groupId" FROM memberships m WHERE m."teamId" = u."teamId" AND m."userId" = u.id) AS "groupIds",
  ARRAY(SELECT DISTINCT unnest(g.capabilities) FROM memberships m
    JOIN groups g ON g."teamId" = m."teamId" AND g.id = m."groupId"
    WHERE m."teamId" = u."teamId" AND m."userId" = u.id) AS capabilities`;

/** Selects an `McpSwitch`; `t` is the row of the team. */
export const mcpColumns = sql`t."mcpEnabled", t."mcpSwitchedAt"`;

/** Returns the switch in a row that was read with `mcpColumns`. */
export const mcpSwitchOf = ({ mcpEnabled, mcpSwitchedAt }: McpSwitch): McpSwitch => ({ mcpEnabled, mcpSwitchedAt });

/** The facts that the credential adds to its user. */
export type CredentialFacts = {
  readonly credential: Actor["credential"];
  readonly scopes: readonly Scope[];
  readonly restrictedKeyId?: string | null;
  readonly mcp?: McpSwitch;
};

/** Returns the caller: the user of the row with the credential. */
export function actorFrom(row: ActorRow, { credential, scopes, restrictedKeyId = null, mcp }: CredentialFacts): Actor {
  return {
    teamId: row.teamId,
    userId: row.userId,
    userName: row.userName,
    email: row.email,
    systemAdmin: row.systemAdmin,
    capabilities: new Set(knownCapabilities(row.capabilities)),
    groupIds: row.groupIds,
    scopes: new Set(scopes),
    credential,
    restrictedKeyId,
    ...(mcp === undefined ? {} : { mcp }),
  };
}
