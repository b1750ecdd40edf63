import type { Capability } from "./capabilities.ts";

/** A scope of a credential: `admin` implies `read` and `write`; `write` does not imply `read`. */
export type Scope = "read" | "write" | "admin";

/** The kind of credential. `system` is the service itself and its command line. */
export type CredentialKind = "api_key" | "oauth" | "session" | "system";

/** The access token that an app presented. A grant may have several, and each expires separately. */
export type PresentedToken = {
  readonly hash: Uint8Array;
  readonly expiresAt: Date;
  readonly clientId: string;
  /** The resource that it is for. */
  readonly resource: string;
};

/** The team's switch for assistants, and when it was last changed: sessions that began before then have ended. */
export type McpSwitch = { readonly mcpEnabled: boolean; readonly mcpSwitchedAt: Date | null };

/** The facts about a session that its user was authenticated with. */
export type SessionFacts = {
  /** The token that a page of the app sends back with every change. */
  readonly csrfToken: string;
  /** The last time that the user proved who they are: at the log-in, or later. */
  readonly provenAt: Date;
};

/** The credential of the caller: an API key, a session, or a grant to an app. */
export type Credential = {
  readonly kind: CredentialKind;
  readonly id: string;
  readonly name: string;
  /** Only of an app. */
  readonly token?: PresentedToken;
  /** Only of a session. */
  readonly session?: SessionFacts;
};

/** A caller: one user of one team with one credential. Only authentication creates it. */
export type Actor = {
  readonly teamId: string;
  readonly userId: string;
  readonly userName: string;
  readonly email: string;
  readonly systemAdmin: boolean;
  readonly capabilities: ReadonlySet<Capability>;
  readonly groupIds: readonly string[];
  readonly scopes: ReadonlySet<Scope>;
  readonly credential: Credential;
  /** The id of a restricted API key; null for a credential that is not restricted. */
  readonly restrictedKeyId: string | null;
  /** The switch at the time of authentication; undefined if it was not read. */
  readonly mcp?: McpSwitch;
};

/** Whether the user holds the capability; a system admin holds all. */
export function holds(actor: Actor, capability: Capability): boolean {
  return actor.systemAdmin || actor.capabilities.has(capability);
}

/** Whether the credential carries the scope. */
export function carries(actor: Actor, scope: Scope): boolean {
  return actor.scopes.has(scope) || actor.scopes.has("admin");
}
