import type { Actor } from "@kb/auth";
import { ServiceError } from "../errors.ts";

/** The time for which a proof counts. */
export const proofLifetimeMs = 15 * 60_000;

/** Returns the error for a user who has to prove first who they are. */
export const proofRequired = (how: string): ServiceError =>
  new ServiceError("proof_required", `Confirm that it is you: ${how} Then repeat the call.`);

/** Whether the user of a session proved in the last 15 minutes who they are. */
export const hasFreshProof = ({ credential: { session } }: Actor, now: Date): boolean =>
  session !== undefined && now.getTime() - session.provenAt.getTime() < proofLifetimeMs;

/**
 * Requires that the user of a session proved in the last 15 minutes who they are: a stolen cookie must not create keys, admins or
 * grants that outlive it. The command line needs no proof.
 * @throws {ServiceError} `proof_required`
 */
export function requireFreshProof(actor: Actor, now: Date): void {
  if (actor.credential.kind !== "session" || hasFreshProof(actor, now)) return;
  throw proofRequired("send your password, or a code of your second factor, to auth.prove.");
}
