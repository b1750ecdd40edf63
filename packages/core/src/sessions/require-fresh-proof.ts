import type { Actor } from "@kb/auth";
import { ServiceError } from "../errors.ts";

/** The time for which a proof counts. */
export const proofLifetimeMs = 15 * 60_000;

/** Returns the error for a user who has to prove first who they are. */
export const proofRequired = (how: string): ServiceError =>
  new ServiceError("proof_required", `Confirm that it is you: ${how} Then repeat the call.`);

/**
 * Requires that the user of a session proved in the last 15 minutes who they are: a stolen cookie must not create keys, admins or
 * grants that outlive it. The command line needs no proof.
 * @throws {ServiceError} `proof_required`
 */
export function requireFreshProof({ credential: { kind, session } }: Actor, now: Date): void {
  if (kind !== "session") return;
  if (session !== undefined && now.getTime() - session.provenAt.getTime() < proofLifetimeMs) return;
  throw proofRequired("send your password, or a code of your second factor, to auth.prove.");
}
