import { createHash, randomBytes } from "node:crypto";
import { type Database, sql } from "@kb/db";

/** The time in which a challenge has to be signed. */
export const challengeLifetimeMs = 5 * 60_000;

/** What a challenge is for, and the session or the browser that asked for it. It is unknown for anything else. */
export type ChallengeUse = {
  readonly purpose: "register" | "prove" | "second_step" | "log_in";
  readonly binding: string;
};

/** Creates a challenge of 32 random bytes, of which only a hash is stored. Deletes some that have expired. */
export async function issueChallenge(
  { execute }: Pick<Database, "execute">,
  use: ChallengeUse,
  now: Date,
): Promise<string> {
  const challenge = randomBytes(32).toString("base64url");
  const expiresAt = new Date(now.getTime() + challengeLifetimeMs);
  await execute(
    sql`INSERT INTO passkey_challenges (hash, "expiresAt") VALUES (${hashChallenge(use, challenge)}, ${expiresAt})`,
  );
  await execute(sql`DELETE FROM passkey_challenges WHERE hash IN (
    SELECT hash FROM passkey_challenges WHERE "expiresAt" <= ${now} LIMIT 100 FOR UPDATE SKIP LOCKED)`);
  return challenge;
}

/** Uses a challenge up, whatever follows; returns whether it was valid. Of many uses at once, one succeeds. */
export async function useChallenge(
  { execute }: Pick<Database, "execute">,
  use: ChallengeUse,
  challenge: string,
  now: Date,
): Promise<boolean> {
  const deleted = await execute(
    sql`DELETE FROM passkey_challenges WHERE hash = ${hashChallenge(use, challenge)} AND "expiresAt" > ${now}`,
  );
  return deleted > 0;
}

// As JSON, no binding can be read as another one.
const hashChallenge = ({ purpose, binding }: ChallengeUse, challenge: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(
    createHash("sha256")
      .update(JSON.stringify([purpose, binding, challenge]))
      .digest(),
  );
