import type { CounterName, GaugeName, HistogramName, Labels } from "./metrics.ts";
import type { TraceParent } from "./trace-parent.ts";

/** What a span says of its work. Never a value out of a statement, never anything that a person wrote. */
export type Attributes = Readonly<Record<string, string | number | boolean>>;

/** A piece of work that is being recorded. */
export type Span = {
  readonly traceId: string;
  rename(name: string): void;
  set(attributes: Attributes): void;
  /** It failed by a fault of ours; `errorType` is a code of few values, never a message. */
  fail(errorType: string): void;
  end(): void;
};

export type SpanOptions = {
  readonly kind: "server" | "client" | "internal";
  readonly attributes?: Attributes;
  /** The caller's own span, where it named one. Without it the span of the scope is the parent. */
  readonly remote?: TraceParent | undefined;
};

/** One value of a gauge. */
export type Observation = {
  readonly [Name in GaugeName]: { readonly name: Name; readonly value: number; readonly labels?: Labels<Name> };
}[GaugeName];

/** Where the service says what it does: spans and measurements. */
export type Telemetry = {
  /** Whether spans are recorded. Who has to work for one asks first. */
  readonly traces: boolean;
  /** Whether anything is measured. */
  readonly metrics: boolean;
  /** Begins a span; undefined where none are recorded. */
  begin(name: string, options: SpanOptions): Span | undefined;
  record<Name extends HistogramName>(name: Name, value: number, labels: Labels<Name>): void;
  add<Name extends CounterName>(name: Name, by: number, labels: Labels<Name>): void;
  /** Has `read` asked whenever gauges are read; what it throws is no value. Gives what ends that. */
  observe(
    names: readonly GaugeName[],
    read: () => Promise<readonly Observation[]> | readonly Observation[],
  ): () => void;
  /** Where `/metrics` is answered; undefined where it is not. */
  readonly metricsPort: number | undefined;
  /** Sends what is left, for 2 s at most, and closes the port. */
  close(): Promise<void>;
};

const nothing = (): void => {};

/** Records nothing, and costs nothing. */
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
