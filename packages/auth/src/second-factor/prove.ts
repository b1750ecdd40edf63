import type { Database, Tx } from "@kb/db";
import type { Account } from "../log-in/account.ts";
import { lockStanding, recordFailure, type Throttled } from "../log-in/throttle.ts";
import type { Sealer } from "../secrets.ts";
import { acceptCode, type ProvenFactor } from "./store.ts";

/** The result of an attempt to prove a second factor. `absent`: the user has none. */
export type Proof =
  | ({ readonly kind: "proven" } & ProvenFactor)
  | { readonly kind: "wrong" }
  | { readonly kind: "absent" }
  | ({ readonly kind: "throttled" } & Throttled);

/**
 * Checks a typed code in a transaction that commits whatever the result. After ten wrong codes in 15 minutes, all further ones
 * are refused: six digits are few, and only somebody with the user's password or session gets here. For that reason the limit
 * does not count per source.
 */
export async function proveInTransaction(
  tx: Tx,
  sealer: Sealer,
  attempt: { account: Account; typed: string },
  now: Date,
): Promise<Proof> {
  const source = { source: `second_factor:${attempt.account.userId}` };
  const { throttled } = await lockStanding(tx, source, now);
  if (throttled !== null) return { kind: "throttled", ...throttled };
  const proven = await acceptCode(tx, sealer, attempt, now);
  if (proven === "absent") return { kind: "absent" };
  if (proven !== null) return { kind: "proven", ...proven };
  await recordFailure(tx, source, now);
  return { kind: "wrong" };
}

/** Checks a typed code of a user who is logged in. */
export function proveSecondFactor(
  database: Database,
  sealer: Sealer,
  attempt: { account: Account; typed: string },
  now: Date,
): Promise<Proof> {
  return database.transaction((tx) => proveInTransaction(tx, sealer, attempt, now));
}
