import type { CounterName, GaugeName, HistogramName, Labels } from "./metrics.ts";
import type { TraceParent } from "./trace-parent.ts";

/** Attributes of a span. They contain no values of statements and no text of users. */
export type Attributes = Readonly<Record<string, string | number | boolean>>;

/** A recorded unit of work. */
export type Span = {
  readonly traceId: string;
  rename(name: string): void;
  set(attributes: Attributes): void;
  /** Marks the span as failed by a defect or an outage; `errorType` is a code with few values, never a message. */
  fail(errorType: string): void;
  end(): void;
};

export type SpanOptions = {
  readonly kind: "server" | "client" | "internal";
  readonly attributes?: Attributes;
  /** The caller's span, if the request names one. Default: the span of the scope. */
  readonly remote?: TraceParent | undefined;
};

/** A value of a gauge. */
export type Observation = {
  readonly [Name in GaugeName]: { readonly name: Name; readonly value: number; readonly labels?: Labels<Name> };
}[GaugeName];

/** Records spans and measurements. */
export type Telemetry = {
  /** Whether spans are recorded. Check it before computing expensive attributes. */
  readonly traces: boolean;
  /** Whether measurements are recorded. */
  readonly metrics: boolean;
  /** Begins a span; returns undefined if none are recorded. */
  begin(name: string, options: SpanOptions): Span | undefined;
  record<Name extends HistogramName>(name: Name, value: number, labels: Labels<Name>): void;
  add<Name extends CounterName>(name: Name, by: number, labels: Labels<Name>): void;
  /** Calls `read` whenever gauges are read and ignores its errors; returns a stop function. */
  observe(
    names: readonly GaugeName[],
    read: () => Promise<readonly Observation[]> | readonly Observation[],
  ): () => void;
  /** The port of `/metrics`; undefined if it is not served. */
  readonly metricsPort: number | undefined;
  /** Sends the remaining data for at most 2 s and closes the port. */
  close(): Promise<void>;
};

const nothing = (): void => {};

/** Records nothing. */
export const noTelemetry: Telemetry = {
  traces: false,
  metrics: false,
  begin: () => undefined,
  record: nothing,
  add: nothing,
  observe: () => nothing,
  metricsPort: undefined,
  close: async () => {},
};
