import type { BatchObservableResult, Histogram, Meter, Observable, UpDownCounter } from "@opentelemetry/api";
import { OTLPMetricExporter as JsonExporter } from "@opentelemetry/exporter-metrics-otlp-http";
import { OTLPMetricExporter as ProtobufExporter } from "@opentelemetry/exporter-metrics-otlp-proto";
import type { Resource } from "@opentelemetry/resources";
import { MeterProvider, PeriodicExportingMetricReader } from "@opentelemetry/sdk-metrics";
import type { Reporter } from "../about.ts";
import { type MetricName, metrics } from "../metrics.ts";
import type { TelemetrySettings } from "../settings.ts";
import type { Telemetry } from "../telemetry.ts";
import { listenForScrapes, PullReader } from "./prometheus.ts";
import { noteOutages, sendingTo } from "./sending.ts";

type Metering = Pick<Telemetry, "record" | "add" | "observe"> & {
  /** The port of `/metrics`, if it is served. */
  readonly port: number | undefined;
  close(): Promise<void>;
};

/** Opens metrics that are pushed to a collector, served at `/metrics`, or both. */
export async function openMetering(
  settings: TelemetrySettings,
  endpoint: string | undefined,
  resource: Resource,
  logger: Reporter,
): Promise<Metering> {
  const { METRICS_PORT: port, METRICS_HOST: host } = settings;
  const pull = port === undefined ? undefined : new PullReader();
  const push = endpoint === undefined ? undefined : pushReader(settings, endpoint, logger);
  const readers = [pull, push].filter((reader) => reader !== undefined);
  const provider = new MeterProvider({ resource, readers });
  const scrapes = pull === undefined || port === undefined ? undefined : await listenForScrapes(pull, host, port);
  return {
    ...instruments(provider.getMeter("knowledge-base")),
    port: scrapes?.port,
    close: async () => {
      await Promise.allSettled([scrapes?.close(), provider.shutdown()]);
    },
  };
}

function pushReader(settings: TelemetrySettings, endpoint: string, logger: Reporter): PeriodicExportingMetricReader {
  const Exporter = settings.OTEL_EXPORTER_OTLP_PROTOCOL === "http/json" ? JsonExporter : ProtobufExporter;
  return new PeriodicExportingMetricReader({
    exporter: noteOutages(new Exporter(sendingTo(endpoint, settings)), "metrics", logger),
    exportIntervalMillis: settings.OTEL_METRIC_EXPORT_INTERVAL,
  });
}

/** Creates each instrument of the table when it is first used. */
function instruments(meter: Meter): Pick<Telemetry, "record" | "add" | "observe"> {
  const histogram = memoize((name): Histogram => {
    const { unit, description, buckets = [] } = metrics[name];
    return meter.createHistogram(name, { unit, description, advice: { explicitBucketBoundaries: [...buckets] } });
  });
  const counter = memoize((name): Pick<UpDownCounter, "add"> => {
    const { kind, unit, description } = metrics[name];
    return kind === "counter"
      ? meter.createCounter(name, { unit, description })
      : meter.createUpDownCounter(name, { unit, description });
  });
  const gauge = memoize((name): Observable => {
    const { unit, description } = metrics[name];
    return meter.createObservableGauge(name, { unit, description });
  });
  return {
    record: (name, value, labels) => histogram(name).record(value, labels),
    add: (name, by, labels) => counter(name).add(by, labels),
    observe: (names, read) => {
      const observables = names.map(gauge);
      const callback = async (result: BatchObservableResult): Promise<void> => {
        for (const { name, value, labels = {} } of await read()) {
          if (Number.isFinite(value)) result.observe(gauge(name), value, labels);
        }
      };
      meter.addBatchObservableCallback(callback, observables);
      return () => meter.removeBatchObservableCallback(callback, observables);
    },
  };
}

/** Remembers the instrument that `create` returned for each name. */
function memoize<Instrument>(create: (name: MetricName) => Instrument): (name: MetricName) => Instrument {
  const created = new Map<MetricName, Instrument>();
  return (name) => {
    const found = created.get(name) ?? create(name);
    created.set(name, found);
    return found;
  };
}
