import { sql } from "@kb/db";
import type { Service } from "../context.ts";
import { ServiceError } from "../errors.ts";
import { queueMails } from "../mail/queue-mails.ts";
import { Email } from "../schema/names.ts";
import { parseField } from "./fields.ts";
import { findTeam } from "./find.ts";

/** A mail as the command line shows it, without what it says. */
export type MailSummary = {
  id: string;
  team: string;
  kind: string;
  recipient: string;
  status: string;
  attempts: number;
  failure: string | null;
  createdAt: Date;
  nextAttemptAt: Date | null;
};

/** The states of a mail. */
export const mailStates = ["pending", "sent", "failed", "withdrawn"] as const;

/** Lists the latest mails of all teams, or those in one state; at most `most`. */
export async function listMails(
  { database }: Pick<Service, "database">,
  { status, most }: { readonly status?: (typeof mailStates)[number] | undefined; readonly most: number },
): Promise<MailSummary[]> {
  return await database.acrossTeams.rows<MailSummary>(sql`
    SELECT m.id, t.name AS team, m.kind, m.recipient, m.status, m.attempts, m.failure, m."createdAt",
      CASE m.status WHEN 'pending' THEN m."nextAttemptAt" END AS "nextAttemptAt"
    FROM mails m JOIN teams t ON t.id = m."teamId"
    WHERE ${status ?? null}::text IS NULL OR m.status = ${status ?? null}::text
    ORDER BY m."createdAt" DESC, m.id DESC LIMIT ${most}::int`);
}

/** Counts the mails of all teams by their state. */
export async function countMails({ database }: Pick<Service, "database">): Promise<Record<string, number>> {
  const rows = await database.acrossTeams.rows<{ status: string; count: number }>(
    sql`SELECT status, count(*)::int AS count FROM mails GROUP BY status`,
  );
  return Object.fromEntries(mailStates.map((state) => [state, rows.find((row) => row.status === state)?.count ?? 0]));
}

/**
 * Queues failed mails again: one by its id, or all. Returns how many. A mail whose link has expired stays failed.
 * @throws {ServiceError} `not_found` for an id that no failed mail with a valid link has.
 */
export async function retryMails(
  { database, clock }: Pick<Service, "database" | "clock">,
  id: string | undefined,
): Promise<number> {
  const now = clock.now();
  const count = await database.acrossTeams.execute(sql`
    UPDATE mails SET status = 'pending', attempts = 0, "nextAttemptAt" = ${now}, "leaseUntil" = NULL, "finishedAt" = NULL
    WHERE status = 'failed' AND "expiresAt" > ${now} AND (${id ?? null}::uuid IS NULL OR id = ${id ?? null}::uuid)`);
  if (count > 0 || id === undefined) return count;
  throw new ServiceError("not_found", `There is no failed mail ${id} whose link is still valid.`);
}

const testTtlMs = 24 * 60 * 60 * 1000;

/**
 * Queues a mail that proves the connection to the mail server. Returns its id.
 * @throws {ServiceError} `unavailable` without a mail server; `validation_error`, `not_found` for the team.
 */
export async function queueTestMail(
  service: Service,
  { to, team }: { readonly to: string; readonly team?: string | undefined },
): Promise<string> {
  const { mail, database, clock } = service;
  if (mail === undefined) throw new ServiceError("unavailable", "Set SMTP_URL and MAIL_FROM to send mails.");
  const recipient = parseField("to", Email, to);
  const { id: teamId, name } = await findTeam(service, team);
  const at = clock.now();
  const expiresAt = new Date(at.getTime() + testTtlMs);
  const test = { teamId, recipient, kind: "test", language: "en", facts: { team: name }, at, expiresAt } as const;
  const [id = ""] = await database.transaction((tx) => queueMails(tx, mail, [test]));
  return id;
}
