import { type ExportResult, ExportResultCode } from "@opentelemetry/core";
import type { Reporter } from "../about.ts";
import type { TelemetrySettings } from "../settings.ts";

/** Returns the exporter options for a collector. */
export function sendingTo(url: string, settings: TelemetrySettings) {
  const { OTEL_EXPORTER_OTLP_HEADERS: headers = {}, OTEL_EXPORTER_OTLP_TIMEOUT: timeoutMillis } = settings;
  return { url, headers, timeoutMillis };
}

type Exporter<Items> = { export(items: Items, done: (result: ExportResult) => void): void };

/** Logs one line when the collector becomes unavailable, and one when it is available again. */
export function noteOutages<Items, Kind extends Exporter<Items>>(
  exporter: Kind & Exporter<Items>,
  signal: string,
  logger: Reporter,
): Kind {
  const send = exporter.export.bind(exporter);
  let failing = false;
  exporter.export = (items, done) =>
    send(items, (result) => {
      const failed = result.code !== ExportResultCode.SUCCESS;
      if (failed && !failing) {
        logger.warn({ signal, reason: reasonOf(result.error) }, "the OpenTelemetry collector is not available");
      }
      if (!failed && failing) logger.info({ signal }, "the OpenTelemetry collector is available again");
      failing = failed;
      done(result);
    });
  return exporter;
}

function reasonOf(error: (Error & { code?: unknown }) | undefined): string {
  return error?.code === undefined ? (error?.message ?? "unknown").slice(0, 200) : String(error.code);
}
