import type { Database, Tx } from "@kb/db";
import { type Attempt, lockStanding, recordFailure } from "../log-in/throttle.ts";
import type { Sealer } from "../secrets.ts";
import { hashTypedCode } from "../typed-code.ts";
import { acceptCode, type Proof, type TypedProof } from "./store.ts";

/** An attempt to prove a second factor, and where: wrong codes of one place do not lock the user out of the other. */
type FactorAttempt = TypedProof & { readonly place: "log_in" | "settings" };

/** Wrong recovery codes within 15 minutes. Nobody guesses 80 bits; the limit only bounds the work. */
const maxRecoveryCodes = 100;

/**
 * Checks a typed code in a transaction that commits whatever the result. After ten wrong codes of an app in 15 minutes, all
 * further ones are refused: six digits are few, and only somebody with the user's password or session gets here. For that reason
 * the limit does not count per source, and a second one bounds the wrong codes of days. Recovery codes count apart, so that they still let the owner in.
 */
export async function proveInTransaction(tx: Tx, sealer: Sealer, attempt: FactorAttempt, now: Date): Promise<Proof> {
  const source = sourceOf(attempt);
  const { throttled } = await lockStanding(tx, source, now);
  if (throttled !== null) return { kind: "throttled", ...throttled };
  const proof = await acceptCode(tx, sealer, attempt, now);
  if (proof.kind === "wrong") await recordFailure(tx, source, now);
  return proof;
}

function sourceOf({ account: { userId }, typed, place }: FactorAttempt): Attempt {
  const source = `second_factor:${place}:${userId}`;
  return hashTypedCode("recovery", typed) === null
    ? { source }
    : { source: `recovery_code:${place}:${userId}`, limit: maxRecoveryCodes };
}

/** Checks a typed code of a user who is logged in. */
export function proveSecondFactor(database: Database, sealer: Sealer, attempt: TypedProof, now: Date): Promise<Proof> {
  return database.transaction((tx) => proveInTransaction(tx, sealer, { ...attempt, place: "settings" }, now));
}
