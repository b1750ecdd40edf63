import { type Database, sql } from "@kb/db";
import { type Resealed, resealValue, type Sealers } from "../reseal-value.ts";

type Row = { teamId: string; id: string; secret: Uint8Array; previousSecret: Uint8Array | null };

const pageSize = 200;
const firstId = "00000000-0000-0000-0000-000000000000";

/** Reseals the secrets of webhooks. May run while the service runs, and repeatedly. */
export async function resealWebhooks(database: Database, sealers: Sealers): Promise<Resealed> {
  const done: Resealed = { resealed: 0, current: 0, unreadable: 0 };
  let after = { teamId: firstId, id: firstId };
  for (;;) {
    const rows = await database.acrossTeams.rows<Row>(sql`SELECT "teamId", id, secret, "previousSecret"
      FROM webhook_subscriptions WHERE ("teamId", id) > (${after.teamId}::uuid, ${after.id}::uuid)
      ORDER BY "teamId", id LIMIT ${pageSize}`);
    for (const row of rows) await resealRow(database, row, { ...sealers, done });
    const last = rows.at(-1);
    if (last === undefined || rows.length < pageSize) return done;
    after = last;
  }
}

type Resealing = Sealers & { readonly done: Resealed };

/** Replaces only the value that was read, and reads a concurrently rotated webhook again. */
async function resealRow(database: Database, row: Row, { done, ...sealers }: Resealing): Promise<void> {
  const { teamId, id } = row;
  for (let held: Row | undefined = row; held !== undefined; held = await rowOf(database, row)) {
    const { secret, previousSecret } = held;
    const one = resealValue(secret, sealers);
    const two = previousSecret === null ? null : resealValue(previousSecret, sealers);
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
