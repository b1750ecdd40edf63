import { join, type Reader, sql, type Tx } from "@kb/db";
import type { Account } from "../log-in/account.ts";
import { type Guesses, waitForGuess } from "../log-in/guesses.ts";
import type { Throttled } from "../log-in/throttle.ts";
import type { Sealer } from "../secrets.ts";
import { createTypedCode, hashTypedCode } from "../typed-code.ts";
import { forgiveGuesses, guessColumns, recordGuess } from "./guesses.ts";
import { findTotpStep } from "./totp.ts";

/** The number of recovery codes that a user gets at once. */
export const recoveryCodeCount = 10;

/** A kind of code that proves a second factor. */
export type SecondFactorMethod = "totp" | "recovery_code";

/** A code that was accepted. */
export type ProvenFactor = { readonly method: SecondFactorMethod; readonly recoveryCodesLeft: number };

/**
 * The result of an attempt to prove a second factor. `absent`: the user has none. `isKeyUnreadable`: the secret of the
 * installation does not open the key of the app, so that only recovery codes work. `isAlarming`: so many codes were wrong that
 * the owner is told.
 */
export type Proof =
  | ({ readonly kind: "proven" } & ProvenFactor)
  | { readonly kind: "wrong"; readonly isKeyUnreadable: boolean; readonly isAlarming: boolean }
  | { readonly kind: "absent" }
  | ({ readonly kind: "throttled" } & Throttled);

type FactorRow = Guesses & { readonly secret: Uint8Array<ArrayBuffer>; readonly lastStep: number | bigint };

const ofUser = ({ teamId, userId }: Account) => sql`"teamId" = ${teamId}::uuid AND "userId" = ${userId}::uuid`;

/** Whether the user is asked for a second factor when they log in. */
export async function hasSecondFactor(reader: Reader, account: Account): Promise<boolean> {
  return (await reader.rows(sql`SELECT 1 FROM second_factors WHERE ${ofUser(account)}`)).length > 0;
}

// Each sealing of a key has other bytes, and each passkey another id: the mark changes with every part of the factor.
const mark = sql`encode(sha256(sha256(f.secret) || convert_to(COALESCE((SELECT string_agg(p.id::text, ',' ORDER BY p.id)
  FROM passkeys p WHERE p."teamId" = f."teamId" AND p."userId" = f."userId"), ''), 'UTF8')), 'hex')`;

/** Returns a mark of the user's present second factor; null for a user without one. */
export async function findFactorMark(reader: Reader, account: Account): Promise<string | null> {
  const [factor] = await reader.rows<{ mark: string }>(
    sql`SELECT ${mark} AS mark FROM second_factors f WHERE ${ofUser(account)}`,
  );
  return factor?.mark ?? null;
}

/** An app of a user, the time step of the code that proved it, and the mark of the factor that it replaces; null for none. */
type NewFactor = {
  readonly account: Account;
  readonly secret: Uint8Array;
  readonly step: number;
  readonly replaces: string | null;
};

/**
 * Stores the app of a user and returns new recovery codes, of which only hashes are stored. Null, and nothing is stored, if the
 * present factor is not the one to replace: of many uses at once one succeeds.
 */
export async function storeSecondFactor(
  tx: Tx,
  sealer: Sealer,
  { account, secret, step, replaces }: NewFactor,
  now: Date,
): Promise<string[] | null> {
  const { teamId, userId } = account;
  const sealed = sealer.seal(secret);
  // Passkeys change under this lock: the next statement sees them as the last change left them.
  await tx.rows(sql`SELECT 1 FROM second_factors WHERE ${ofUser(account)} FOR UPDATE`);
  const stored = await tx.execute(
    replaces === null
      ? sql`INSERT INTO second_factors ("teamId", "userId", secret, "lastStep", "createdAt")
          VALUES (${teamId}::uuid, ${userId}::uuid, ${sealed}, ${step}, ${now}) ON CONFLICT ("teamId", "userId") DO NOTHING`
      : sql`UPDATE second_factors f SET secret = ${sealed}, "lastStep" = ${step}, "createdAt" = ${now},
            guesses = 0, "guessedAt" = NULL
          WHERE ${ofUser(account)} AND ${mark} = ${replaces}`,
  );
  return stored === 0 ? null : replaceRecoveryCodes(tx, account);
}

/** Replaces the recovery codes of a user who has a second factor, and returns the new ones. */
export async function replaceRecoveryCodes(tx: Tx, account: Account): Promise<string[]> {
  const { teamId, userId } = account;
  const codes = Array.from({ length: recoveryCodeCount }, createTypedCode);
  const rows = codes.map((code) => sql`(${teamId}::uuid, ${userId}::uuid, ${hashTypedCode("recovery", code)})`);
  await tx.execute(sql`DELETE FROM recovery_codes WHERE ${ofUser(account)}`);
  await tx.execute(sql`INSERT INTO recovery_codes ("teamId", "userId", hash) VALUES ${join(rows)}`);
  return codes;
}

/** Removes the second factor of a user with its recovery codes and passkeys; returns whether there was one. */
export async function removeSecondFactor(tx: Pick<Tx, "execute">, account: Account): Promise<boolean> {
  return (await tx.execute(sql`DELETE FROM second_factors WHERE ${ofUser(account)}`)) > 0;
}

/** Removes the app of a user. Passkeys stay, with the recovery codes; without passkeys nothing is left. Returns whether there was an app. */
export async function removeApp(tx: Tx, account: Account): Promise<boolean> {
  const kept = await tx.execute(sql`UPDATE second_factors f SET secret = ''::bytea, guesses = 0, "guessedAt" = NULL
    WHERE ${ofUser(account)} AND octet_length(secret) > 0 AND EXISTS (SELECT 1 FROM passkeys p
      WHERE p."teamId" = f."teamId" AND p."userId" = f."userId")`);
  if (kept > 0) return true;
  const removed = await tx.execute(
    sql`DELETE FROM second_factors WHERE ${ofUser(account)} AND octet_length(secret) > 0`,
  );
  return removed > 0;
}

/** The parts of a user's second factor. */
export type FactorParts = { readonly hasApp: boolean; readonly passkeys: number };

/** Reads the parts of a user's second factor; null for a user without one. */
export async function readFactorParts(reader: Reader, account: Account): Promise<FactorParts | null> {
  const [parts] = await reader.rows<FactorParts>(sql`SELECT octet_length(secret) > 0 AS "hasApp",
      (SELECT count(*)::int FROM passkeys WHERE ${ofUser(account)}) AS passkeys
    FROM second_factors WHERE ${ofUser(account)}`);
  return parts ?? null;
}

/** A typed code, and whose it should be. */
export type TypedProof = { readonly account: Account; readonly typed: string };

/**
 * Uses a typed code: one of the app, of which neither it nor an earlier one is accepted again, or a recovery code, which is deleted.
 * Recovery codes work even while codes of the app are refused or the key of the app cannot be read. The row is locked, so that of
 * many uses at once one succeeds.
 */
export async function acceptCode(tx: Tx, sealer: Sealer, { account, typed }: TypedProof, now: Date): Promise<Proof> {
  const [factor] = await tx.rows<FactorRow>(
    sql`SELECT secret, "lastStep", ${guessColumns} FROM second_factors WHERE ${ofUser(account)} FOR UPDATE`,
  );
  if (factor === undefined) return { kind: "absent" };
  const hash = hashTypedCode("recovery", typed);
  const refusal =
    hash === null
      ? await useAppCode(tx, sealer, factor, { account, typed }, now)
      : await useRecoveryCode(tx, account, hash);
  if (refusal !== null) return refusal;
  const [left] = await tx.rows<{ count: number }>(
    sql`SELECT count(*)::int AS count FROM recovery_codes WHERE ${ofUser(account)}`,
  );
  return { kind: "proven", method: hash === null ? "totp" : "recovery_code", recoveryCodesLeft: left?.count ?? 0 };
}

/** Returns why the code was not accepted; null if it was. */
async function useRecoveryCode(tx: Tx, account: Account, hash: Uint8Array<ArrayBuffer>): Promise<Proof | null> {
  const deleted = await tx.execute(sql`DELETE FROM recovery_codes WHERE ${ofUser(account)} AND hash = ${hash}`);
  if (deleted === 0) return { kind: "wrong", isKeyUnreadable: false, isAlarming: false };
  await forgiveGuesses(tx, account);
  return null;
}

/** Returns why the code was not accepted; null if it was. */
async function useAppCode(
  tx: Tx,
  sealer: Sealer,
  factor: FactorRow,
  { account, typed }: TypedProof,
  now: Date,
): Promise<Proof | null> {
  // A user with passkeys only: no code of six digits is right.
  if (factor.secret.length === 0) return { kind: "wrong", isKeyUnreadable: false, isAlarming: false };
  const key = openKey(sealer, factor);
  if (key === null) return { kind: "wrong", isKeyUnreadable: true, isAlarming: false };
  const wait = waitForGuess(factor, now);
  if (wait !== null) return { kind: "throttled", ...wait };
  const step = findTotpStep(key, typed, now);
  if (step === null || BigInt(step) <= BigInt(factor.lastStep)) {
    return { kind: "wrong", isKeyUnreadable: false, isAlarming: await recordGuess(tx, account, factor, now) };
  }
  await tx.execute(sql`UPDATE second_factors SET "lastStep" = ${step} WHERE ${ofUser(account)}`);
  return null;
}

function openKey(sealer: Sealer, { secret }: FactorRow): Uint8Array<ArrayBuffer> | null {
  try {
    return sealer.open(secret);
  } catch {
    return null;
  }
}
