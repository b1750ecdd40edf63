import { sql, type Tx } from "@kb/db";
import { ServiceError } from "../errors.ts";
import { warnings } from "./mail-kinds.ts";

const hourMs = 60 * 60 * 1000;
const dayMs = 24 * hourMs;
/** Mails of a team within an hour, for each cause. */
const maxPerHour = 200;

/**
 * Mails of a team to one address. Anybody can ask for a forgotten password, and every member for another address, so those mails
 * count apart and keep no admin from writing to the person. The bound of forgotten passwords lasts as long as a link: beyond it, the
 * person has one that works.
 */
const perAddress = {
  admin: { most: 5, windowMs: dayMs, period: "a day", retry: "tomorrow" },
  member: { most: 5, windowMs: dayMs, period: "a day", retry: "tomorrow" },
  forgotten: { most: 5, windowMs: hourMs, period: "an hour", retry: "in an hour" },
} as const;

/** The cause of a mail: an admin, a member who changes their own address, or a visitor at the page of forgotten passwords. */
export type MailCause = keyof typeof perAddress;

/**
 * Limits the mails of a team and those to one address, so that nobody uses the service to flood others. Each cause has limits of
 * its own. Call it under a lock of the team, which makes the limits exact.
 * @throws {ServiceError} `rate_limited`
 */
export async function requireMayMail(
  tx: Tx,
  teamId: string,
  recipients: readonly string[],
  cause: MailCause,
  now: Date,
): Promise<void> {
  const { most, windowMs, period, retry } = perAddress[cause];
  const sinceHour = new Date(now.getTime() - hourMs);
  const since = new Date(now.getTime() - windowMs);
  const ofCause = sql`CASE WHEN m.kind LIKE 'email_change_%' THEN 'member'
      WHEN m.kind = 'password_reset' AND m."causedById" IS NULL THEN 'forgotten' ELSE 'admin' END = ${cause}
    AND m.kind <> ALL(${[...warnings]}::text[])`;
  const [row] = await tx.rows<{ count: number; toThem: number; oldest: Date | null; full: string[] }>(sql`
    SELECT count(*) FILTER (WHERE m.recipient = ANY(${[...recipients]}::text[]))::int AS "toThem",
      count(*) FILTER (WHERE m."createdAt" > ${sinceHour})::int AS count,
      min(m."createdAt") FILTER (WHERE m."createdAt" > ${sinceHour}) AS oldest,
      ARRAY(SELECT m.recipient FROM mails m WHERE m."teamId" = ${teamId}::uuid AND m."createdAt" > ${since}
        AND m.recipient = ANY(${[...recipients]}::text[]) AND ${ofCause}
        GROUP BY m.recipient HAVING count(*) >= ${most} ORDER BY m.recipient LIMIT 3) AS full
    FROM mails m WHERE m."teamId" = ${teamId}::uuid AND m."createdAt" > ${since} AND ${ofCause}`);
  if (row === undefined) return;
  if (row.full.length > 0) {
    const message = `At most ${most} mails ${period} go to one address, and ${row.full.join(", ")} has had them: try again ${retry}.`;
    throw new ServiceError("rate_limited", message, { retryAfterSeconds: windowMs / 1000 });
  }
  if (row.count + recipients.length <= maxPerHour) return;
  // Whoever knows forty addresses can use the hour up, and must not lock the others out: there are as many of these as users.
  if (cause === "forgotten" && row.toThem === 0) return;
  const untilMs = (row.oldest ?? now).getTime() + hourMs - now.getTime();
  const message = `A team sends at most ${maxPerHour} mails an hour: try again later.`;
  throw new ServiceError("rate_limited", message, { retryAfterSeconds: Math.max(1, Math.ceil(untilMs / 1000)) });
}
