import { sql, type Tx } from "@kb/db";
import { ServiceError } from "../errors.ts";

const hourMs = 60 * 60 * 1000;
const dayMs = 24 * hourMs;
/** Mails of a team within an hour. */
const maxPerHour = 200;
/** Mails of a team to one address within a day. */
const maxPerAddress = 5;

/**
 * Limits the mails of a team and those to one address, so that nobody uses the service to flood others. Call it under a lock of
 * the team, which makes the limits exact.
 * @throws {ServiceError} `rate_limited`
 */
export async function requireMayMail(tx: Tx, teamId: string, recipients: readonly string[], now: Date): Promise<void> {
  const sinceHour = new Date(now.getTime() - hourMs);
  const sinceDay = new Date(now.getTime() - dayMs);
  const [row] = await tx.rows<{ count: number; oldest: Date | null; full: string[] }>(sql`
    SELECT count(*) FILTER (WHERE m."createdAt" > ${sinceHour})::int AS count,
      min(m."createdAt") FILTER (WHERE m."createdAt" > ${sinceHour}) AS oldest,
      ARRAY(SELECT r.recipient FROM mails r WHERE r."teamId" = ${teamId}::uuid AND r."createdAt" > ${sinceDay}
        AND r.recipient = ANY(${[...recipients]}::text[])
        GROUP BY r.recipient HAVING count(*) >= ${maxPerAddress} ORDER BY r.recipient LIMIT 3) AS full
    FROM mails m WHERE m."teamId" = ${teamId}::uuid AND m."createdAt" > ${sinceDay}`);
  if (row === undefined) return;
  if (row.full.length > 0) {
    const message = `At most ${maxPerAddress} mails a day go to one address, and ${row.full.join(", ")} has had them: try again tomorrow.`;
    throw new ServiceError("rate_limited", message, { retryAfterSeconds: dayMs / 1000 });
  }
  if (row.count + recipients.length <= maxPerHour) return;
  const untilMs = (row.oldest ?? now).getTime() + hourMs - now.getTime();
  const message = `A team sends at most ${maxPerHour} mails an hour: try again later.`;
  throw new ServiceError("rate_limited", message, { retryAfterSeconds: Math.max(1, Math.ceil(untilMs / 1000)) });
}
