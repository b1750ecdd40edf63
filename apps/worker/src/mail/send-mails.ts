import { setTimeout as pause } from "node:timers/promises";
import {
  type ClaimedMail,
  claimMails,
  dropMail,
  type MailOutcome,
  type MailService,
  mailContentOf,
  mailResetLinks,
  type Service,
  settleMail,
} from "@kb/core";
import { describeError, type Logger } from "@kb/runtime";
import { type MailSettings, openMailer } from "./mailer.ts";
import { renderMail } from "./render-mail.ts";

/** Options of the mails of one worker; times in milliseconds. */
export type SendMailsOptions = {
  readonly service: Service & { readonly mail: MailService };
  readonly settings: MailSettings;
  readonly logger: Logger;
  /** The mails that are sent at once. */
  readonly concurrency: number;
  /** The time after which another worker sends the mail of a worker that died; more than an attempt takes. */
  readonly leaseMs: number;
};

/** The mails of one worker. */
export type SentMails = {
  /** Writes the mails of forgotten passwords, and starts those that are due. */
  readonly run: () => Promise<"more" | "done">;
  /** Resolves when no mail is being sent, or after 20 seconds: a slow server must not delay the end of the process. */
  readonly idle: () => Promise<void>;
};

const maxIdleMs = 20_000;
const busyPauseMs = 100;
/** The requests for a new password that one run answers. */
const maxRequests = 50;

/** Opens the mails of one worker. */
export function openMails(options: SendMailsOptions): SentMails {
  const { service, settings, logger, concurrency, leaseMs } = options;
  const mailer = openMailer(settings, service.appUrl);
  const inFlight = new Set<Promise<void>>();

  const start = (mail: ClaimedMail): void => {
    const sending = deliver(mail)
      // The lease expires and the mail is sent again.
      .catch((error: unknown) => logger.error({ cause: describeError(error), mail: mail.id }, "mail"))
      .finally(() => inFlight.delete(sending));
    inFlight.add(sending);
  };

  async function deliver(mail: ClaimedMail): Promise<void> {
    const startedAt = performance.now();
    const result = mail.obsolete ? await drop(mail) : await settleMail(service, mail, await attempt(mail));
    const durationMs = Math.round(performance.now() - startedAt);
    const { id, teamId, kind, attempts } = mail;
    logger.info({ mail: id, teamId, kind, attempt: attempts, result, durationMs }, "mail");
  }

  async function drop(mail: ClaimedMail): Promise<"dropped"> {
    await dropMail(service, mail);
    return "dropped";
  }

  async function attempt(mail: ClaimedMail): Promise<MailOutcome> {
    const { id, recipient, createdAt } = mail;
    const content = mailContentOf(mail, service.mail, service.appUrl);
    if (content === null) return { result: "failed", failure: unreadableToken };
    const { language, link } = content;
    const secret = link?.slice(link.lastIndexOf("/") + 1) ?? null;
    return mailer.send({ ...renderMail(content), id, recipient, language, createdAt, secret });
  }

  return {
    run: async () => {
      const answered = await mailResetLinks(service, maxRequests);
      const most = concurrency - inFlight.size;
      const claimed = await claimMails(service, { most, leaseMs });
      for (const mail of claimed) start(mail);
      if (claimed.length + answered === 0 && most > 0) return "done";
      // Until a place is free or a while has passed: the end of the process must not wait for a slow server.
      await Promise.race([...inFlight, pause(busyPauseMs)]);
      return "more";
    },
    idle: async () => {
      const waited = new AbortController();
      await Promise.race([
        Promise.all(inFlight),
        pause(maxIdleMs, undefined, { signal: waited.signal }).catch(() => {}),
      ]);
      waited.abort();
    },
  };
}

const unreadableToken =
  "Not sent: its link was encrypted under another APP_SECRET and cannot be read. Send the invitation or the link again.";
