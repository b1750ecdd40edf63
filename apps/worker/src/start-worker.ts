import type { Sealer } from "@kb/auth";
import { changeChannel, type MailService, mailChannel, type Service } from "@kb/core";
import type { ImportSettings } from "@kb/importer";
import type { Outgoing } from "@kb/outgoing";
import type { Logger } from "@kb/runtime";
import { openBacklogGauges } from "./backlog-gauges.ts";
import type { MailSettings } from "./mail/mailer.ts";
import { openMails, type SentMails } from "./mail/send-mails.ts";
import { measureStorage } from "./measure-storage.ts";
import { openImports, type RunningImports } from "./run-imports.ts";
import { runTasks, type Task } from "./run-tasks.ts";
import { saveBeforeStop, saveLiveDocuments } from "./save-live-documents.ts";
import { sweepExpired } from "./sweep-expired.ts";
import { updateSearchIndex } from "./update-search-index.ts";
import { version } from "./version.ts";
import { openWebhookDeliveries } from "./webhook-deliveries.ts";

/** Options of a worker; times in milliseconds. */
export type WorkerOptions = {
  /** With the sealer under which the secrets of webhooks were stored. */
  readonly service: Service & { readonly sealer: Sealer };
  readonly outgoing: Outgoing;
  readonly logger: Logger;
  /** The mail server and the service under which mails were stored. Without them no mail is sent. */
  readonly mail?: { readonly settings: MailSettings; readonly service: MailService } | undefined;
  /** The installation whose imports this worker runs. Without it no import runs. */
  readonly imports?: ImportSettings | undefined;
  /** Time after which another worker continues the import of a worker that died. Default 30,000. */
  readonly importLeaseMs?: number;
  /** Time after which an import leaves the worker to those of others that wait. Default ten minutes. */
  readonly importTurnMs?: number;
  /** Time in which an import has to write its first document, and a dry run has to end. Default half an hour. */
  readonly importPreparationMs?: number;
  /** Days after which documents in the trash are removed; 0 keeps them forever. */
  readonly trashRetentionDays: number;
  /** Concurrent deliveries. Default 64; 4 for one subscription, 16 for one team. */
  readonly concurrency?: number;
  readonly perSubscription?: number;
  readonly perTeam?: number;
  /** Time between two polls while nothing is announced. Default 1,000. */
  readonly pollMs?: number;
  /** Time that a receiver has to answer. Default 15,000. */
  readonly timeoutMs?: number;
  /** Time after which another worker retries a delivery of a worker that died. Default 30,000; more than `timeoutMs`. */
  readonly leaseMs?: number;
  /** Mails that are sent at once. Default 4. */
  readonly mailConcurrency?: number;
  /** Time after which another worker retries a mail of a worker that died. Default 180,000. */
  readonly mailLeaseMs?: number;
  /** Time between two retention sweeps. Default one hour. */
  readonly sweepMs?: number;
};

/** A worker that runs. */
export type RunningWorker = {
  /**
   * Starts nothing more, and resolves once the running work is done and, after the last request, all text of live editing is
   * saved; that takes at most ten seconds.
   * @param lastRequest the end of the requests of this process; absent where it serves none
   */
  close(lastRequest?: Promise<void>): Promise<void>;
};

const backlogIntervalMs = 5_000;
/** A document is saved two seconds after the last batch, and this much later at most. */
const checkpointIntervalMs = 500;

/** Runs the background tasks of the service until it is closed. Any number of workers may run side by side. */
export function startWorker(options: WorkerOptions): RunningWorker {
  const { service, logger, pollMs = 1_000, sweepMs = 3_600_000 } = options;
  const { concurrency = 64, perSubscription = 4, perTeam = 16, timeoutMs = 15_000, leaseMs = 30_000 } = options;
  const bounds = { concurrency, perSubscription, perTeam, timeoutMs, leaseMs };
  const deliveries = openWebhookDeliveries({ ...options, ...bounds, userAgent: `team-knowledge-base/${version}` });
  const backlog = openBacklogGauges(service);
  const mails = openMailsOf(options);
  const imports = openImportsOf(options);

  const tasks: readonly Task[] = [
    {
      name: "webhooks",
      everyMs: pollMs,
      onWake: (wake) => service.database.listen(changeChannel, wake),
      run: deliveries.run,
    },
    ...(mails === undefined ? [] : [mailTask(service, mails, pollMs)]),
    ...(imports === undefined ? [] : [{ name: "imports", everyMs: pollMs, run: imports.run }]),
    { name: "live editing", everyMs: checkpointIntervalMs, run: () => saveLiveDocuments(options) },
    { name: "search index", everyMs: sweepMs, run: () => updateSearchIndex(options) },
    { name: "storage", everyMs: sweepMs, run: () => measureStorage(options) },
    { name: "retention", everyMs: sweepMs, run: () => sweepExpired(options) },
    { name: "backlog", everyMs: backlogIntervalMs, run: backlog.update },
  ];
  const reserved = tasks.map((task) => ({ ...task, run: () => service.database.withReservedConnections(task.run) }));
  const running = runTasks(reserved, logger);
  return {
    close: async (lastRequest) => {
      backlog.close();
      const delivered = running.close().then(() => Promise.all([deliveries.idle(), mails?.idle(), imports?.close()]));
      await Promise.allSettled([lastRequest]);
      await service.database.withReservedConnections(() => saveBeforeStop(options));
      await delivered;
    },
  };
}

function openImportsOf({
  service,
  logger,
  imports,
  importLeaseMs: leaseMs = 30_000,
  importTurnMs: turnMs = 600_000,
  importPreparationMs: preparationMs = 1_800_000,
}: WorkerOptions): RunningImports | undefined {
  if (imports === undefined) return undefined;
  return openImports({ service, logger, settings: imports, leaseMs, reportMs: 1_000, turnMs, preparationMs });
}

function openMailsOf({ service, logger, mail, mailConcurrency = 4, mailLeaseMs = 180_000 }: WorkerOptions) {
  if (mail === undefined) return undefined;
  return openMails({
    service: { ...service, mail: mail.service },
    settings: mail.settings,
    logger,
    concurrency: mailConcurrency,
    leaseMs: mailLeaseMs,
  });
}

function mailTask({ database }: Service, { run }: SentMails, everyMs: number): Task {
  return { name: "mails", everyMs, onWake: (wake) => database.listen(mailChannel, wake), run };
}
