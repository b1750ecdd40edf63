import { randomUUID } from "node:crypto";
import { defaultResource, resourceFromAttributes } from "@opentelemetry/resources";
import type { About } from "../about.ts";
import type { endpointsOf, TelemetrySettings } from "../settings.ts";
import { noTelemetry, type Telemetry } from "../telemetry.ts";
import { openMetering } from "./metering.ts";
import { observeProcess } from "./process.ts";
import { openTracing } from "./tracing.ts";

/** Limits the last sending, so that a hanging collector does not delay the stop of the process. */
const flushMs = 2_000;

/** Opens OpenTelemetry's SDK. Registers nothing globally, so one process can open two. */
export async function openSdk(
  settings: TelemetrySettings,
  endpoints: ReturnType<typeof endpointsOf>,
  about: About,
): Promise<Telemetry> {
  const resource = defaultResource().merge(
    resourceFromAttributes({
      ...settings.OTEL_RESOURCE_ATTRIBUTES,
      "service.name":
        settings.OTEL_SERVICE_NAME ?? settings.OTEL_RESOURCE_ATTRIBUTES?.["service.name"] ?? about.service,
      "service.version": about.version,
      "service.instance.id": randomUUID(),
    }),
  );
  const { traces, metrics } = endpoints;
  const tracing = traces === undefined ? undefined : openTracing(settings, traces, resource, about.logger);
  const metering =
    metrics === undefined && settings.METRICS_PORT === undefined
      ? undefined
      : await openMetering(settings, metrics, resource, about.logger);
  const telemetry: Telemetry = {
    traces: tracing !== undefined,
    metrics: metering !== undefined,
    begin: tracing?.begin ?? noTelemetry.begin,
    record: metering?.record ?? noTelemetry.record,
    add: metering?.add ?? noTelemetry.add,
    observe: metering?.observe ?? noTelemetry.observe,
    metricsPort: metering?.port,
    close: async () => {
      stopObserving();
      await inTime(Promise.allSettled([tracing?.close(), metering?.close()]));
    },
  };
  const stopObserving = observeProcess(telemetry);
  if (metering?.port !== undefined) about.logger.info({ metricsPort: metering.port }, "serving metrics");
  return telemetry;
}

async function inTime(work: Promise<unknown>): Promise<void> {
  const { promise: timeUp, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, flushMs);
  await Promise.race([work, timeUp]);
  clearTimeout(timer);
}
