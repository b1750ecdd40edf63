import type { Actor } from "@kb/auth";
import type { CallMetadata } from "@kb/core";

/** The caller of a request, with its credential and metadata. */
export type Caller = {
  readonly actor: Actor;
  /** The key or grant to which sessions are bound. All tokens of a grant share it. */
  readonly principal: string;
  /** The user's app. It stays the same when the app obtains a new grant with more scopes. Absent for a key. */
  readonly app?: string;
  readonly call: CallMetadata;
  /** Authenticates the same credential again; null once it is no longer valid. */
  readonly authenticateAgain: () => Promise<Actor | null>;
};

/** Returns `key:<id>`, or `grant:<id>` for the tokens of an app. */
export function principalOf({ credential }: Actor): string {
  return `${credential.kind === "oauth" ? "grant" : "key"}:${credential.id}`;
}

/** Returns an identifier of the app, user and team; undefined for a key. */
export function appOf({ teamId, userId, credential: { token } }: Actor): string | undefined {
  return token === undefined ? undefined : `${teamId} ${userId} ${token.clientId}`;
}
