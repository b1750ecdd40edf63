import type { Capability } from "./capabilities.ts";

/** What a credential was given: `admin` implies `read` and `write`; `write` alone does not imply `read`. */
export type Scope = "read" | "write" | "admin";

/** By what the caller proved who they are. `system` is the service itself and its command line. */
export type CredentialKind = "api_key" | "oauth" | "session" | "system";

/** The access token that an app shows: of one grant there may be several, and each ends by itself. */
export type ShownToken = {
  readonly hash: Uint8Array;
  readonly expiresAt: Date;
  readonly clientId: string;
  /** The server that it is for. */
  readonly resource: string;
};

/** The team's switch for assistants, and when it was turned last: what began before that has ended. */
export type McpSwitch = { readonly mcpEnabled: boolean; readonly mcpSwitchedAt: Date | null };

/** By what the caller is known: a key, a log-in, or what a user granted to an app. */
export type Credential = {
  readonly kind: CredentialKind;
  readonly id: string;
  readonly name: string;
  /** Of an app alone. */
  readonly token?: ShownToken;
};

/** A caller: one user of one team, seen through one credential. Made by `authenticate` alone. */
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
  /** The id of the API key in restricted mode; null when the credential is not narrowed. */
  readonly restrictedKeyId: string | null;
  /** As it was when the caller was found; absent where nobody asked. */
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
