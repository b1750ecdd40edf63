import { type Database, sql } from "@kb/db";
import { type Resealed, resealValue, type Sealers } from "../reseal-value.ts";

type MailRow = { readonly teamId: string; readonly id: string; readonly token: Uint8Array };
type RequestRow = { readonly id: string; readonly sealed: Uint8Array };

const pageSize = 200;
const firstId = "00000000-0000-0000-0000-000000000000";

/** Reseals the links of mails that wait, and requests for one. May run while the service runs, and repeatedly. */
export async function resealMails(database: Database, sealers: Sealers): Promise<Resealed> {
  const done: Resealed = { resealed: 0, current: 0, unreadable: 0 };
  let after = { teamId: firstId, id: firstId };
  for (;;) {
    const rows = await database.acrossTeams.rows<MailRow>(sql`SELECT "teamId", id, token FROM mails
      WHERE token IS NOT NULL AND ("teamId", id) > (${after.teamId}::uuid, ${after.id}::uuid)
      ORDER BY "teamId", id LIMIT ${pageSize}`);
    for (const row of rows) done[await resealMail(database, row, sealers)] += 1;
    const last = rows.at(-1);
    if (last === undefined || rows.length < pageSize) break;
    after = last;
  }
  // A worker takes requests within seconds, so there are few.
  const requests = await database.rows<RequestRow>(sql`SELECT id, sealed FROM password_reset_requests`);
  for (const row of requests) done[await resealRequest(database, row, sealers)] += 1;
  return done;
}

/** Replaces only the token that was read: one that was removed meanwhile stays away. */
async function resealMail(database: Database, { teamId, id, token }: MailRow, sealers: Sealers) {
  const { sealed, came } = resealValue(token, sealers);
  if (came !== "resealed") return came;
  const written = await database.execute(
    sql`UPDATE mails SET token = ${sealed} WHERE "teamId" = ${teamId}::uuid AND id = ${id}::uuid AND token = ${token}`,
  );
  return written > 0 ? "resealed" : "current";
}

async function resealRequest(database: Database, { id, sealed: stored }: RequestRow, sealers: Sealers) {
  const { sealed, came } = resealValue(stored, sealers);
  if (came !== "resealed") return came;
  const written = await database.execute(
    sql`UPDATE password_reset_requests SET sealed = ${sealed} WHERE id = ${id}::uuid`,
  );
  return written > 0 ? "resealed" : "current";
}
