import type { Sealer } from "@kb/auth";
import { type Database, sql } from "@kb/db";

/** The number of secrets that were resealed, were current already, or cannot be opened with either secret. */
export type Resealed = { resealed: number; current: number; unreadable: number };

type Row = { teamId: string; id: string; secret: Uint8Array; previousSecret: Uint8Array | null };

const pageSize = 200;
const firstId = "00000000-0000-0000-0000-000000000000";

/**
 * Reseals webhook secrets from the installation's `previous` secret to its `present` one, so that the previous one can be
 * removed. May run while the service runs, and repeatedly.
 */
export async function resealSecrets(database: Database, present: Sealer, previous: Sealer): Promise<Resealed> {
  const done: Resealed = { resealed: 0, current: 0, unreadable: 0 };
  let after = { teamId: firstId, id: firstId };
  for (;;) {
    const rows = await database.acrossTeams.rows<Row>(sql`SELECT "teamId", id, secret, "previousSecret"
      FROM webhook_subscriptions WHERE ("teamId", id) > (${after.teamId}::uuid, ${after.id}::uuid)
      ORDER BY "teamId", id LIMIT ${pageSize}`);
    for (const row of rows) await resealRow(database, row, { present, previous, done });
    const last = rows.at(-1);
    if (last === undefined || rows.length < pageSize) return done;
    after = last;
  }
}

type Resealing = { present: Sealer; previous: Sealer; done: Resealed };

/** Replaces only the value that was read, and reads a concurrently rotated webhook again. */
async function resealRow(database: Database, row: Row, { present, previous, done }: Resealing): Promise<void> {
  const { teamId, id } = row;
  for (let held: Row | undefined = row; held !== undefined; held = await rowOf(database, row)) {
    const { secret, previousSecret } = held;
    const one = reseal(secret, present, previous);
    const two = previousSecret === null ? null : reseal(previousSecret, present, previous);
    const changed = one.sealed !== secret || (two?.sealed ?? null) !== previousSecret;
    const written = changed
      ? await database.execute(sql`UPDATE webhook_subscriptions
          SET secret = ${one.sealed}, "previousSecret" = ${two?.sealed ?? null}
          WHERE "teamId" = ${teamId}::uuid AND id = ${id}::uuid AND secret = ${secret}
            AND "previousSecret" IS NOT DISTINCT FROM ${previousSecret}`)
      : 1;
    if (written === 0) continue;
    for (const each of two === null ? [one] : [one, two]) done[each.came] += 1;
    return;
  }
}

/** Reads the current row; undefined if the webhook no longer exists. */
async function rowOf(database: Database, { teamId, id }: Row): Promise<Row | undefined> {
  const [row] = await database.rows<Row>(sql`SELECT "teamId", id, secret, "previousSecret" FROM webhook_subscriptions
    WHERE "teamId" = ${teamId}::uuid AND id = ${id}::uuid`);
  return row;
}

function reseal(sealed: Uint8Array, present: Sealer, previous: Sealer): { sealed: Uint8Array; came: keyof Resealed } {
  if (opened(sealed, present) !== null) return { sealed, came: "current" };
  const plain = opened(sealed, previous);
  return plain === null ? { sealed, came: "unreadable" } : { sealed: present.seal(plain), came: "resealed" };
}

function opened(sealed: Uint8Array, { open }: Sealer): Uint8Array | null {
  try {
    return open(sealed);
  } catch {
    return null;
  }
}
