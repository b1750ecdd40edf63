import type { Sealer } from "@kb/auth";
import { type Database, sql } from "@kb/db";

/** How many secrets were sealed anew, were under the present secret already, or open with neither. */
export type Resealed = { resealed: number; current: number; unreadable: number };

type Row = { teamId: string; id: string; secret: Uint8Array; previousSecret: Uint8Array | null };

const pageSize = 200;
const firstId = "00000000-0000-0000-0000-000000000000";

/**
 * Seals under the `present` secret of the installation what was sealed under the `previous` one, so that the previous can be
 * forgotten. May run beside the service, and again.
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

/** Only over what was read: a webhook that changes meanwhile is read again, as it keeps what it had as its previous secret. */
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

/** The row as it is now; undefined where the webhook is gone. */
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
