import type { Capability } from "./capabilities.ts";

/** What a credential was given: `admin` implies `read` and `write`; `write` alone does not imply `read`. */
export type Scope = "read" | "write" | "admin";

/** By what the caller proved who they are. `system` is the service itself and its command line. */
export type CredentialKind = "api_key" | "oauth" | "session" | "system";

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
  readonly credential: { readonly kind: CredentialKind; readonly id: string; readonly name: string };
  /** The id of the API key in restricted mode; null when the credential is not narrowed. */
  readonly restrictedKeyId: string | null;
};

/** Whether the user holds the capability; a system admin holds all. */
export function holds(actor: Actor, capability: Capability): boolean {
  return actor.systemAdmin || actor.capabilities.has(capability);
}

/** Whether the credential carries the scope. */
export function carries(actor: Actor, scope: Scope): boolean {
  return actor.scopes.has(scope) || actor.scopes.has("admin");
}
