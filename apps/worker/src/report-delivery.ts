import type { ClaimedDelivery, Outcome } from "@kb/core";
import type { Logger } from "@kb/runtime";
import { inScope, newTally, noTelemetry, type Telemetry } from "@kb/telemetry";

/** The result of an attempt to deliver; `dropped` if the receiver may no longer see the event. */
export type DeliveryResult = {
  readonly result: "delivered" | "retried" | "failed" | "dropped";
  /** The receiver's answer; absent if nothing was sent. */
  readonly outcome?: Outcome;
};

type ReportOptions = { readonly logger: Logger; readonly telemetry?: Telemetry | undefined };

/**
 * Makes an attempt to deliver and reports it as one log line, one span and one count. Omits the receiver's address and
 * response except its status, because they are user content.
 */
export async function reportDelivery(
  { logger, telemetry = noTelemetry }: ReportOptions,
  delivery: ClaimedDelivery,
  deliver: () => Promise<DeliveryResult>,
): Promise<void> {
  const startedAt = performance.now();
  const span = telemetry.begin("webhook.deliver", { kind: "client" });
  const tally = logger.isLevelEnabled("info") ? newTally() : undefined;
  let ended: DeliveryResult | undefined;
  try {
    ended = await inScope({ tally, span }, deliver);
  } finally {
    const result = ended?.result ?? "error";
    measure(telemetry, result, ended?.outcome);
    span?.set({ "kb.webhook.outcome": result });
    if (result !== "delivered" && result !== "dropped") span?.fail(result);
    span?.end();
    const { id, teamId, subscriptionId, eventId, attempts } = delivery;
    logger.info(
      {
        delivery: id,
        teamId,
        subscriptionId,
        eventId,
        attempt: attempts,
        result,
        traceId: span?.traceId,
        status: ended?.outcome?.status,
        latencyMs: ended?.outcome?.latencyMs,
        durationMs: rounded(performance.now() - startedAt),
        statements: tally?.statements,
        sqlMs: tally === undefined ? undefined : rounded(tally.sqlMs),
      },
      "delivery",
    );
  }
}

const rounded = (milliseconds: number): number => Math.round(milliseconds * 100) / 100;

function measure(telemetry: Telemetry, result: string, outcome: Outcome | undefined): void {
  const labels = { "kb.webhook.outcome": result };
  telemetry.add("kb.webhook.deliveries", 1, labels);
  if (outcome !== undefined) telemetry.record("kb.webhook.attempt.duration", outcome.latencyMs / 1000, labels);
}
