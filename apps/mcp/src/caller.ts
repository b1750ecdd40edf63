import type { Actor } from "@kb/auth";
import type { Call } from "@kb/core";

/** Who sends a request, and what the edge knows of it. */
export type Caller = {
  readonly actor: Actor;
  /** Names the key or the grant: what a session is bound to, whatever token of the grant comes. */
  readonly principal: string;
  /** Names the user's app, whichever of its grants comes: one is added when it asks for more. Absent for a key. */
  readonly app?: string;
  readonly call: Call;
  /** Who the same credential makes now; null once it is good no more. */
  readonly again: () => Promise<Actor | null>;
};

/** `key:<id>`, or `grant:<id>` for the tokens of an app. */
export function principalOf({ credential }: Actor): string {
  return `${credential.kind === "oauth" ? "grant" : "key"}:${credential.id}`;
}

/** The app of a user of a team; undefined for a key. */
export function appOf({ teamId, userId, credential: { token } }: Actor): string | undefined {
  return token === undefined ? undefined : `${teamId} ${userId} ${token.clientId}`;
}
