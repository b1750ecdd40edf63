import { type Database, newId, type Reader, sql, type Tx } from "@kb/db";
import type { Account } from "../log-in/account.ts";
import type { CheckedPasskey, NamedPasskey } from "./registration.ts";

/** The most passkeys of a user. */
export const maxPasskeys = 20;

/** A passkey of a user who is not suspended, found by the id that its authenticator gave it. */
export type StoredPasskey = { readonly account: Account; readonly id: string; readonly publicKey: Uint8Array };

type StoredRow = Account & Omit<StoredPasskey, "account">;

/** Finds a passkey of anybody; null for an unknown one and one of a suspended user. */
export async function findPasskey(database: Database, credentialId: string): Promise<StoredPasskey | null> {
  const [row] = await database.beforeTeam.rows<StoredRow>(sql`SELECT p."teamId", p."userId", p.id, p."publicKey"
    FROM passkeys p JOIN users u ON u."teamId" = p."teamId" AND u.id = p."userId"
    WHERE p."credentialId" = ${bytesOf(credentialId)} AND u."suspendedAt" IS NULL`);
  if (row === undefined) return null;
  const { teamId, userId, id, publicKey } = row;
  return { account: { teamId, userId }, id, publicKey };
}

/** Reads the passkeys of a user as browsers name them. */
export function readPasskeys(reader: Reader, { teamId, userId }: Account): Promise<NamedPasskey[]> {
  return reader.rows<NamedPasskey>(sql`SELECT "credentialId", transports FROM passkeys
    WHERE "teamId" = ${teamId}::uuid AND "userId" = ${userId}::uuid ORDER BY "createdAt", id`);
}

/**
 * Makes sure that a user has a second factor to which passkeys can belong, and locks it. Returns whether it is new, and so without
 * recovery codes.
 */
export async function lockFactorOfPasskeys(tx: Tx, { teamId, userId }: Account, now: Date): Promise<boolean> {
  const made = await tx.execute(sql`INSERT INTO second_factors ("teamId", "userId", secret, "lastStep", "createdAt")
    VALUES (${teamId}::uuid, ${userId}::uuid, ''::bytea, 0, ${now}) ON CONFLICT ("teamId", "userId") DO NOTHING`);
  if (made > 0) return true;
  await tx.rows(sql`SELECT 1 FROM second_factors
    WHERE "teamId" = ${teamId}::uuid AND "userId" = ${userId}::uuid FOR UPDATE`);
  return false;
}

/** Stores a passkey. Returns its id; null if anybody has it already. */
export async function storePasskey(
  tx: Tx,
  { teamId, userId }: Account,
  { name, credentialId, publicKey, counter, transports, synced }: CheckedPasskey & { readonly name: string },
  now: Date,
): Promise<string | null> {
  const id = newId();
  const stored = await tx.execute(sql`INSERT INTO passkeys
      ("teamId", id, "userId", name, "credentialId", "publicKey", counter, transports, synced, "createdAt")
    VALUES (${teamId}::uuid, ${id}::uuid, ${userId}::uuid, ${name}, ${credentialId}, ${publicKey}, ${counter},
      ${[...transports]}::text[], ${synced}, ${now}) ON CONFLICT ("credentialId") DO NOTHING`);
  return stored === 0 ? null : id;
}

/**
 * Records a use. `counter` if the authenticator has not counted on since the last one: somebody may have copied it (WebAuthn §6.1.1);
 * many do not count and always say 0. `unknown` if the passkey was removed meanwhile.
 */
export async function recordPasskeyUse(
  tx: Pick<Tx, "execute" | "rows">,
  { account: { teamId, userId }, id }: Pick<StoredPasskey, "account" | "id">,
  counter: number,
  now: Date,
): Promise<"recorded" | "unknown" | "counter"> {
  const ofPasskey = sql`"teamId" = ${teamId}::uuid AND id = ${id}::uuid AND "userId" = ${userId}::uuid`;
  const [stored] = await tx.rows<{ counter: number | bigint }>(
    sql`SELECT counter FROM passkeys WHERE ${ofPasskey} FOR UPDATE`,
  );
  if (stored === undefined) return "unknown";
  const last = Number(stored.counter);
  if (counter <= last && (counter > 0 || last > 0)) return "counter";
  await tx.execute(sql`UPDATE passkeys SET counter = ${counter}, "lastUsedAt" = ${now} WHERE ${ofPasskey}`);
  return "recorded";
}

const bytesOf = (credentialId: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(Buffer.from(credentialId, "base64url"));
