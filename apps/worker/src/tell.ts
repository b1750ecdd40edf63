import { type Backlog, type ClaimedDelivery, type Outcome, type Service, webhookBacklog } from "@kb/core";
import type { Logger } from "@kb/http";
import { inScope, newTally, noTelemetry, type Telemetry } from "@kb/telemetry";

/** What came of an attempt to deliver; `dropped` is what must not be told any more. */
export type Ended = {
  readonly result: "delivered" | "retried" | "failed" | "dropped";
  /** What the receiver answered, where it was asked. */
  readonly outcome?: Outcome;
};

/**
 * Makes an attempt and tells of it: one line in the log, one span, one count. Nothing of the receiver's address or answer,
 * which people wrote, but its status.
 */
export async function told(
  { logger, telemetry = noTelemetry }: { readonly logger: Logger; readonly telemetry?: Telemetry | undefined },
  delivery: ClaimedDelivery,
  deliver: () => Promise<Ended>,
): Promise<void> {
  const startedAt = performance.now();
  const span = telemetry.begin("webhook.deliver", { kind: "client" });
  const tally = logger.isLevelEnabled("info") ? newTally() : undefined;
  let ended: Ended | undefined;
  try {
    ended = await inScope({ tally, span }, deliver);
  } finally {
    const result = ended?.result ?? "error";
    measure(telemetry, result, ended?.outcome);
    span?.set({ "kb.webhook.outcome": result });
    if (result !== "delivered" && result !== "dropped") span?.fail(result);
    span?.end();
    logger.info(
      {
        ...{ delivery: delivery.id, teamId: delivery.teamId, subscriptionId: delivery.subscriptionId },
        ...{ eventId: delivery.eventId, attempt: delivery.attempts, result, traceId: span?.traceId },
        ...{ status: ended?.outcome?.status, latencyMs: ended?.outcome?.latencyMs },
        durationMs: Math.round((performance.now() - startedAt) * 100) / 100,
        ...(tally === undefined ? {} : { statements: tally.statements, sqlMs: Math.round(tally.sqlMs * 100) / 100 }),
      },
      "delivery",
    );
  }
}

function measure(telemetry: Telemetry, result: string, outcome: Outcome | undefined): void {
  const labels = { "kb.webhook.outcome": result };
  telemetry.add("kb.webhook.deliveries", 1, labels);
  if (outcome !== undefined) telemetry.record("kb.webhook.attempt.duration", outcome.latencyMs / 1000, labels);
}

/** Between two counts of what waits: who reads the gauges, however often, makes the database count no more. */
const countEveryMs = 5_000;

/** Has told how much waits to be sent; nothing where it could not be counted. Gives what ends that. */
export function tellBacklog(service: Service): () => void {
  const { telemetry = noTelemetry } = service;
  if (!telemetry.metrics) return () => {};
  let latest: Backlog | undefined;
  const count = async (): Promise<void> => {
    latest = await webhookBacklog(service).catch(() => undefined);
  };
  void count();
  const timer = setInterval(count, countEveryMs);
  timer.unref();
  const stop = telemetry.observe(["kb.outbox.depth", "kb.outbox.age", "kb.webhook.deliveries.due"], () => {
    if (latest === undefined) return [];
    return [
      { name: "kb.outbox.depth", value: latest.events },
      { name: "kb.outbox.age", value: latest.oldestSeconds },
      { name: "kb.webhook.deliveries.due", value: latest.due },
    ];
  });
  return () => {
    clearInterval(timer);
    stop();
  };
}
