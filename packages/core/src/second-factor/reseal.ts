import { type Database, sql } from "@kb/db";
import { type Resealed, resealValue, type Sealers } from "../reseal-value.ts";

type Row = { readonly teamId: string; readonly userId: string; readonly secret: Uint8Array };

const pageSize = 200;
const firstId = "00000000-0000-0000-0000-000000000000";

/** Reseals the secrets of second factors. May run while the service runs, and repeatedly. */
export async function resealSecondFactors(database: Database, sealers: Sealers): Promise<Resealed> {
  const done: Resealed = { resealed: 0, current: 0, unreadable: 0 };
  let after = { teamId: firstId, userId: firstId };
  for (;;) {
    const rows = await database.acrossTeams.rows<Row>(sql`SELECT "teamId", "userId", secret FROM second_factors
      WHERE ("teamId", "userId") > (${after.teamId}::uuid, ${after.userId}::uuid) AND octet_length(secret) > 0
      ORDER BY "teamId", "userId" LIMIT ${pageSize}`);
    for (const row of rows) done[await resealRow(database, row, sealers)] += 1;
    const last = rows.at(-1);
    if (last === undefined || rows.length < pageSize) return done;
    after = last;
  }
}

/** Replaces only the secret that was read: one that was set meanwhile is sealed under the present secret. */
async function resealRow(
  database: Database,
  { teamId, userId, secret }: Row,
  sealers: Sealers,
): Promise<keyof Resealed> {
  const { sealed, came } = resealValue(secret, sealers);
  if (came !== "resealed") return came;
  const written = await database.execute(sql`UPDATE second_factors SET secret = ${sealed}
    WHERE "teamId" = ${teamId}::uuid AND "userId" = ${userId}::uuid AND secret = ${secret}`);
  return written > 0 ? "resealed" : "current";
}
