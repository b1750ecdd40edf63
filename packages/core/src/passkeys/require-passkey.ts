import { type Assertion, checkPasskey, type PasskeyRefusal, settlePasskey } from "@kb/auth";
import { recordRefusedProof } from "../audit/record-refused-proof.ts";
import { invalid } from "../errors.ts";
import type { Preparation } from "../operation.ts";
import { requireSession } from "../sessions/require-session.ts";

/**
 * Requires a passkey of the caller, which signed a challenge of their session. The audit log records refused ones.
 * @throws {ServiceError} `validation_error`
 */
export async function requirePasskey(preparation: Preparation, action: string, assertion: Assertion): Promise<void> {
  const { service, actor } = preparation;
  const { database, appUrl, clock } = service;
  const { teamId, userId, credential } = actor;
  requireSession(actor);
  const use = { purpose: "prove", binding: credential.id } as const;
  const attempt = { assertion, use, appUrl, account: { teamId, userId }, mustVerifyUser: false };
  const proof = await checkPasskey(database, attempt, clock.now());
  const refusal =
    proof.kind === "refused" ? proof : await database.transaction((tx) => settlePasskey(tx, proof, clock.now()));
  if (refusal === null) return;
  recordRefusedProof(preparation, action, { passkey: refusal.reason });
  throw invalid("passkey", wordsFor(refusal));
}

/** A passkey of somebody else is refused like one that nobody has. */
function wordsFor({ reason }: PasskeyRefusal): string {
  if (reason === "counter") return "May have been copied: remove it, and add it again";
  if (reason === "invalid") return "Was not used for this question, or too late. Try again";
  return "Is not one of your passkeys";
}
