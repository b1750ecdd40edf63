import {
  type ConsumerLag,
  countDueDeliveries,
  type InstallationUsage,
  type Quotas,
  readConsumerLags,
  readInstallationUsage,
  type Service,
  storageKinds,
} from "@kb/core";
import { noTelemetry, type Observation } from "@kb/telemetry";

/** The gauges of the change log, of the deliveries that wait, and of the stored bytes. */
export type BacklogGauges = {
  /** Counts the backlog. Scrapes read the latest count, so that they add no load to the database. */
  readonly update: () => Promise<"done">;
  readonly close: () => void;
};

type Backlog = { readonly lags: readonly ConsumerLag[]; readonly due: number; readonly stored: InstallationUsage };

const names = [
  "kb.outbox.depth",
  "kb.outbox.age",
  "kb.change_log.unread",
  "kb.change_log.age",
  "kb.webhook.deliveries.due",
  "kb.storage.used",
  "kb.storage.most_used",
  "kb.storage.limit",
] as const;

/** Reports the backlog gauges: nothing until it was counted, and nothing while it cannot be. */
export function openBacklogGauges(service: Service): BacklogGauges {
  const { telemetry = noTelemetry } = service;
  let latest: Backlog | undefined;
  const stopObserving = telemetry.observe(names, () =>
    latest === undefined ? [] : observationsOf(latest, service.quotas),
  );
  return {
    update: async () => {
      if (telemetry.metrics) latest = await readBacklog(service).catch(() => undefined);
      return "done";
    },
    close: stopObserving,
  };
}

async function readBacklog(service: Service): Promise<Backlog> {
  return {
    lags: await readConsumerLags(service),
    due: await countDueDeliveries(service),
    stored: await readInstallationUsage(service),
  };
}

/** The gauges of the outbox show the change log as webhooks see it. */
function observationsOf({ lags, due, stored }: Backlog, quotas: Quotas | undefined): Observation[] {
  const webhooks = lags.find(({ consumer }) => consumer === "webhooks");
  return [
    { name: "kb.outbox.depth", value: webhooks?.events ?? 0 },
    { name: "kb.outbox.age", value: webhooks?.oldestSeconds ?? 0 },
    { name: "kb.webhook.deliveries.due", value: due },
    ...storageObservations(stored, quotas),
    ...lags.flatMap(({ consumer, events, oldestSeconds }): Observation[] => {
      const labels = { "kb.change_log.consumer": consumer };
      return [
        { name: "kb.change_log.unread", value: events, labels },
        { name: "kb.change_log.age", value: oldestSeconds, labels },
      ];
    }),
  ];
}

function storageObservations({ total, most }: InstallationUsage, quotas: Quotas | undefined): Observation[] {
  return storageKinds.flatMap((kind): Observation[] => [
    { name: "kb.storage.used", value: total[kind], labels: { "kb.storage.kind": kind } },
    ...(["team", "user"] as const).flatMap((holder): Observation[] => {
      const labels = { "kb.storage.kind": kind, "kb.storage.holder": holder };
      const limit = quotas?.[holder][kind];
      return [
        { name: "kb.storage.most_used", value: most[holder][kind], labels },
        ...(limit === undefined ? [] : [{ name: "kb.storage.limit", value: limit, labels } as const]),
      ];
    }),
  ]);
}
