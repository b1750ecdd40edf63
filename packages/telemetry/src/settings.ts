import { z } from "zod";

const port = "must be a port, 0 to 65535";
const milliseconds = "must be a whole number of milliseconds";

const Milliseconds = z
  .string()
  .regex(/^[1-9]\d{0,8}$/, milliseconds)
  .transform(Number);

const Endpoint = z.url({ protocol: /^https?$/, error: "must be an address such as http://localhost:4318" });

/** Names and values in OpenTelemetry's format: `a=1,b=2`, percent-encoded. */
const Pairs = z
  .string()
  .refine((text) => pairs(text) !== null, "must be pairs such as name=value with commas between them")
  .transform((text) => pairs(text) ?? {});

const Exporter = z.enum(["otlp", "none"], { error: "must be otlp or none" });

/** OpenTelemetry's samplers that need no other process. */
const samplers = [
  "always_on",
  "always_off",
  "traceidratio",
  "parentbased_always_on",
  "parentbased_always_off",
  "parentbased_traceidratio",
] as const;

/**
 * The variables that enable telemetry. `OTEL_` names are OpenTelemetry's own; `METRICS_` names open the port for
 * Prometheus.
 */
export const TelemetryVariables = {
  METRICS_PORT: z
    .string()
    .regex(/^\d{1,5}$/, port)
    .transform(Number)
    .refine((value) => value <= 65_535, port)
    .optional(),
  METRICS_HOST: z.string().default("127.0.0.1"),
  OTEL_SDK_DISABLED: z.string().optional(),
  OTEL_SERVICE_NAME: z.string().optional(),
  OTEL_RESOURCE_ATTRIBUTES: Pairs.optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: Endpoint.optional(),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: Endpoint.optional(),
  OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: Endpoint.optional(),
  OTEL_EXPORTER_OTLP_HEADERS: Pairs.optional(),
  OTEL_EXPORTER_OTLP_PROTOCOL: z
    .enum(["http/protobuf", "http/json"], { error: "must be http/protobuf or http/json" })
    .default("http/protobuf"),
  OTEL_EXPORTER_OTLP_TIMEOUT: Milliseconds.default(10_000),
  OTEL_TRACES_EXPORTER: Exporter.default("otlp"),
  OTEL_METRICS_EXPORTER: Exporter.default("otlp"),
  OTEL_TRACES_SAMPLER: z
    .enum(samplers, { error: `must be one of ${samplers.join(", ")}` })
    .default("parentbased_always_on"),
  OTEL_TRACES_SAMPLER_ARG: z
    .string()
    .regex(/^(0(\.\d+)?|1(\.0+)?)$/, "must be a number from 0 to 1")
    .transform(Number)
    .default(1),
  OTEL_BSP_SCHEDULE_DELAY: Milliseconds.default(5_000),
  OTEL_METRIC_EXPORT_INTERVAL: Milliseconds.default(60_000),
};

export type TelemetrySettings = z.output<z.ZodObject<typeof TelemetryVariables>>;

/** Refines the schema of an environment: metrics are not public, so they need a port of their own. */
export function requireOwnMetricsPort(
  { PORT, METRICS_PORT }: { readonly PORT?: number | undefined; readonly METRICS_PORT?: number | undefined },
  context: z.RefinementCtx,
): void {
  if (METRICS_PORT === undefined || METRICS_PORT === 0 || METRICS_PORT !== PORT) return;
  context.addIssue({ code: "custom", path: ["METRICS_PORT"], message: "must be another port than PORT" });
}

/** Returns the addresses for traces and metrics, undefined if disabled. An address for one signal is used unchanged. */
export function endpointsOf(settings: TelemetrySettings): { traces: string | undefined; metrics: string | undefined } {
  if (settings.OTEL_SDK_DISABLED?.toLowerCase() === "true") return { traces: undefined, metrics: undefined };
  const base = settings.OTEL_EXPORTER_OTLP_ENDPOINT?.replace(/\/$/, "");
  const below = (path: string): string | undefined => (base === undefined ? undefined : `${base}/${path}`);
  const traces = settings.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? below("v1/traces");
  const metrics = settings.OTEL_EXPORTER_OTLP_METRICS_ENDPOINT ?? below("v1/metrics");
  return {
    traces: settings.OTEL_TRACES_EXPORTER === "otlp" ? traces : undefined,
    metrics: settings.OTEL_METRICS_EXPORTER === "otlp" ? metrics : undefined,
  };
}

function pairs(text: string): Record<string, string> | null {
  const entries = text.split(",").flatMap((entry) => entry.trim() || []);
  const read = entries.map((entry) => /^([^=\s]+)\s*=\s*(.*)$/.exec(entry));
  try {
    return Object.fromEntries(
      read.map((match) => {
        if (match === null) throw new TypeError("no pair");
        return [decodeURIComponent(match[1] ?? ""), decodeURIComponent(match[2] ?? "")];
      }),
    );
  } catch {
    return null;
  }
}
