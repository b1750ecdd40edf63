import type { Service } from "../context.ts";
import type { ClaimedMail } from "./claim-mails.ts";

/** The result of one attempt to send a mail. A `failed` one is final; a `missed` one is tried again later. */
export type MailOutcome =
  | { readonly result: "sent" }
  | { readonly result: "missed" | "failed"; readonly failure: string };

const minute = 60_000;
const hour = 60 * minute;

/** The delays before the second and all later attempts. After the last attempt the mail has failed. */
const retryDelaysMs = [minute / 2, 2 * minute, 10 * minute, hour / 2, hour, 2 * hour, 4 * hour, 8 * hour, 8 * hour];
/** The random jitter of each delay, as a fraction, so that many mails are not retried at once. */
const spread = 0.2;
const maxFailureLength = 500;

/**
 * Records the result of an attempt. A mail that was sent or has failed keeps no token, except that a failed one keeps it until its
 * link expires, so that an operator can have it sent again. Returns whether another attempt follows.
 */
export async function settleMail(
  { database, clock }: Pick<Service, "database" | "clock">,
  { teamId, id, attempts }: ClaimedMail,
  outcome: MailOutcome,
  random: () => number = Math.random,
): Promise<"sent" | "retried" | "failed"> {
  const now = clock.now();
  const where = { teamId, id, status: "pending", attempts };
  const write = async (data: Parameters<typeof database.client.mail.updateMany>[0]["data"]): Promise<void> => {
    await database.client.mail.updateMany({ where, data: { ...data, leaseUntil: null } });
  };
  if (outcome.result === "sent") {
    await write({ status: "sent", token: null, failure: null, finishedAt: now });
    return "sent";
  }
  const failure = outcome.failure.replaceAll("\0", "").slice(0, maxFailureLength);
  const waitMs = retryDelaysMs[attempts - 1];
  if (outcome.result === "failed" || waitMs === undefined) {
    await write({ status: "failed", failure, finishedAt: now });
    return "failed";
  }
  const nextAttemptAt = new Date(now.getTime() + waitMs * (1 - spread + 2 * spread * random()));
  await write({ failure, nextAttemptAt });
  return "retried";
}

/** Deletes a mail that must not be sent any more. */
export async function dropMail(
  { database }: Pick<Service, "database">,
  { teamId, id, attempts }: ClaimedMail,
): Promise<void> {
  await database.client.mail.deleteMany({ where: { teamId, id, status: "pending", attempts } });
}
