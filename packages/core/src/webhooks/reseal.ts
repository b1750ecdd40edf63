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
    for (const row of rows) await resealRow(database, row, (sealed) => reseal(sealed, present, previous, done));
    const last = rows.at(-1);
    if (last === undefined || rows.length < pageSize) return done;
    after = last;
  }
}

/** Only over what was read: a webhook that gets a new secret meanwhile has it under the present one. */
async function resealRow(database: Database, row: Row, anew: (sealed: Uint8Array) => Uint8Array): Promise<void> {
  const { teamId, id, secret, previousSecret } = row;
  const [one, two] = [anew(secret), previousSecret === null ? null : anew(previousSecret)];
  if (one === secret && two === previousSecret) return;
  await database.execute(sql`UPDATE webhook_subscriptions SET secret = ${one}, "previousSecret" = ${two}
    WHERE "teamId" = ${teamId}::uuid AND id = ${id}::uuid AND secret = ${secret}`);
}

function reseal(sealed: Uint8Array, present: Sealer, previous: Sealer, done: Resealed): Uint8Array {
  if (opened(sealed, present) !== null) {
    done.current += 1;
    return sealed;
  }
  const plain = opened(sealed, previous);
  if (plain === null) {
    done.unreadable += 1;
    return sealed;
  }
  done.resealed += 1;
  return present.seal(plain);
}

function opened(sealed: Uint8Array, { open }: Sealer): Uint8Array | null {
  try {
    return open(sealed);
  } catch {
    return null;
  }
}
