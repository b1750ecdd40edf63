import type { Database, Tx } from "@kb/db";
import type { Account } from "../log-in/account.ts";
import { type Assertion, checkAssertion } from "./assertion.ts";
import { type ChallengeUse, useChallenge } from "./challenges.ts";
import { userHandleOf } from "./registration.ts";
import { relyingPartyOf } from "./relying-party.ts";
import { findPasskey, recordPasskeyUse, type StoredPasskey } from "./store.ts";

/**
 * Why an answer proves nothing. `unknown`: nobody who may log in has this passkey; `other`: somebody else has it; `invalid`: its
 * challenge, site or signature is wrong; `unverified`: the passkey did not check who uses it; `counter`: it may be a copy.
 */
export type PasskeyRefusal = {
  readonly kind: "refused";
  readonly reason: "unknown" | "other" | "invalid" | "unverified" | "counter";
  /** The owner of the passkey, for the audit log. */
  readonly account: Account | null;
};

/** A passkey that signed its challenge. Its use is not recorded yet. */
export type ProvenPasskey = { readonly kind: "proven"; readonly passkey: StoredPasskey; readonly counter: number };

type PasskeyAttempt = {
  readonly assertion: Assertion;
  readonly use: ChallengeUse;
  readonly appUrl: string;
  /** The user who must have the passkey; undefined where it says who the user is. */
  readonly account?: Account;
  /** Whether the passkey must have checked the finger, the face or the PIN of its user. */
  readonly mustVerifyUser: boolean;
};

/** Checks the answer of a browser, and uses its challenge up. */
export async function checkPasskey(
  database: Database,
  { assertion, use, appUrl, account, mustVerifyUser }: PasskeyAttempt,
  now: Date,
): Promise<ProvenPasskey | PasskeyRefusal> {
  const passkey = await findPasskey(database, assertion.id);
  const refused = (reason: PasskeyRefusal["reason"]): PasskeyRefusal => ({
    kind: "refused",
    reason,
    account: passkey?.account ?? null,
  });
  if (passkey === null) return refused("unknown");
  if (account !== undefined && !isSameAccount(passkey.account, account)) return refused("other");
  if (!namesOwner(assertion, passkey)) return refused("invalid");
  const checked = await checkAssertion(relyingPartyOf(appUrl), assertion, passkey.publicKey, (challenge) =>
    useChallenge(database, use, challenge, now),
  );
  if (checked === null) return refused("invalid");
  if (mustVerifyUser && !checked.isUserVerified) return refused("unverified");
  return { kind: "proven", passkey, counter: checked.counter };
}

/** Records the use of a passkey; returns a refusal if it may be a copy, or was removed meanwhile. */
export async function settlePasskey(
  tx: Pick<Tx, "execute" | "rows">,
  { passkey, counter }: ProvenPasskey,
  now: Date,
): Promise<PasskeyRefusal | null> {
  const result = await recordPasskeyUse(tx, passkey, counter, now);
  return result === "recorded" ? null : { kind: "refused", reason: result, account: passkey.account };
}

const isSameAccount = (one: Account, other: Account): boolean =>
  one.teamId === other.teamId && one.userId === other.userId;

/** WebAuthn §7.2, step 6: an authenticator that names a user must name the owner. */
function namesOwner({ userHandle }: Assertion, { account }: StoredPasskey): boolean {
  if (userHandle === undefined) return true;
  return Buffer.from(userHandle, "base64url").equals(userHandleOf(account.userId));
}
