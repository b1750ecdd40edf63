import {
  type Context,
  type Span as OpenTelemetrySpan,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from "@opentelemetry/api";
import { OTLPTraceExporter as JsonExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { OTLPTraceExporter as ProtobufExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import type { Resource } from "@opentelemetry/resources";
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import type { Reporter } from "../about.ts";
import { currentScope } from "../scope.ts";
import type { TelemetrySettings } from "../settings.ts";
import type { Attributes, Span, SpanOptions, Telemetry } from "../telemetry.ts";
import type { TraceParent } from "../trace-parent.ts";
import { noteOutages, sendingTo } from "./sending.ts";

type Tracing = { readonly begin: Telemetry["begin"]; close(): Promise<void> };

/** Opens spans that are sent to a collector in batches after the requests. Spans that it does not accept in time are dropped. */
export function openTracing(
  settings: TelemetrySettings,
  endpoint: string,
  resource: Resource,
  logger: Reporter,
): Tracing {
  const Exporter = settings.OTEL_EXPORTER_OTLP_PROTOCOL === "http/json" ? JsonExporter : ProtobufExporter;
  const exporter = noteOutages(new Exporter(sendingTo(endpoint, settings)), "traces", logger);
  const provider = new TracerProvider({
    resource,
    sampler: samplerOf(settings),
    spanLimits: { attributeValueLengthLimit: 256 },
    spanProcessors: [new BatchSpanProcessor({ exporter, scheduledDelayMillis: settings.OTEL_BSP_SCHEDULE_DELAY })],
  });
  const tracer = provider.getTracer("knowledge-base");
  return {
    begin: (name, { kind, attributes, remote }: SpanOptions) => {
      const parent = remote === undefined ? contextOf(currentScope()?.span) : remoteContext(remote);
      const options = { kind: kinds[kind], ...(attributes === undefined ? {} : { attributes }) };
      return new RecordedSpan(tracer.startSpan(name, options, parent), parent);
    },
    close: () => provider.shutdown(),
  };
}

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL };

class RecordedSpan implements Span {
  readonly #span: OpenTelemetrySpan;
  readonly #parent: Context;

  constructor(span: OpenTelemetrySpan, parent: Context) {
    this.#span = span;
    this.#parent = parent;
  }

  get traceId(): string {
    return this.#span.spanContext().traceId;
  }

  /** The context of spans below this one. */
  get context(): Context {
    return trace.setSpan(this.#parent, this.#span);
  }

  rename(name: string): void {
    this.#span.updateName(name);
  }

  set(attributes: Attributes): void {
    this.#span.setAttributes(attributes);
  }

  fail(errorType: string): void {
    this.#span.setAttribute("error.type", errorType);
    this.#span.setStatus({ code: SpanStatusCode.ERROR });
  }

  end(): void {
    this.#span.end();
  }
}

const contextOf = (span: Span | undefined): Context => (span instanceof RecordedSpan ? span.context : ROOT_CONTEXT);

function remoteContext({ traceId, spanId, sampled }: TraceParent): Context {
  const traceFlags = sampled ? TraceFlags.SAMPLED : TraceFlags.NONE;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
}

function samplerOf({ OTEL_TRACES_SAMPLER: name, OTEL_TRACES_SAMPLER_ARG: ratio }: TelemetrySettings): Sampler {
  const root = rootSampler(name.replace(/^parentbased_/, ""), ratio);
  return name.startsWith("parentbased_") ? new ParentBasedSampler({ root }) : root;
}

function rootSampler(name: string, ratio: number): Sampler {
  if (name === "always_off") return new AlwaysOffSampler();
  return name === "traceidratio" ? new TraceIdRatioBasedSampler(ratio) : new AlwaysOnSampler();
}
