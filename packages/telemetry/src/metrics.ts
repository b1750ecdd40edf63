/** What one instrument measures. Names and units are OpenTelemetry's semantic conventions where those have one. */
type Metric = {
  readonly kind: "histogram" | "counter" | "upDownCounter" | "gauge";
  /** UCUM: `s`, `By`, `1`, or a thing in braces. */
  readonly unit: string;
  readonly description: string;
  /** Each has few values: a route's pattern, an operation's name. Never an id, never anything that a person wrote. */
  readonly labels: readonly string[];
  /** The upper bounds of a histogram's buckets. */
  readonly buckets?: readonly number[];
};

const requestSeconds = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];
const databaseSeconds = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10];

const httpMetrics = {
  "http.server.request.duration": {
    kind: "histogram",
    unit: "s",
    description: "Requests, from their head to the last byte of the answer; streams of events to their beginning.",
    labels: ["http.request.method", "http.route", "http.response.status_code", "error.type"],
    buckets: requestSeconds,
  },
  "http.server.active_requests": {
    kind: "upDownCounter",
    unit: "{request}",
    description: "Requests that are not answered yet.",
    labels: ["http.request.method"],
  },
  "kb.http.event_streams": {
    kind: "upDownCounter",
    unit: "{stream}",
    description: "Streams of server-sent events that are open.",
    labels: ["http.route"],
  },
  "kb.authentication.failures": {
    kind: "counter",
    unit: "{request}",
    description: "Requests that were answered 401.",
    labels: ["http.route", "error.type"],
  },
  "kb.rate_limit.decisions": {
    kind: "counter",
    unit: "{decision}",
    description: "What the rate limiter decided, and whom it counted.",
    labels: ["kb.rate_limit.outcome", "kb.rate_limit.subject"],
  },
} as const satisfies Record<string, Metric>;

const workMetrics = {
  "kb.operation.duration": {
    kind: "histogram",
    unit: "s",
    description: "Operations, whichever edge they came by; the outcome is ok or the error's code.",
    labels: ["kb.operation.name", "kb.operation.outcome"],
    buckets: requestSeconds,
  },
  "kb.outbox.depth": {
    kind: "gauge",
    unit: "{event}",
    description: "Events that no subscriber was told of yet; counted to 100,000.",
    labels: [],
  },
  "kb.outbox.age": { kind: "gauge", unit: "s", description: "How long the oldest of them waits.", labels: [] },
  "kb.webhook.deliveries.due": {
    kind: "gauge",
    unit: "{delivery}",
    description: "Deliveries whose time has come; counted to 100,000.",
    labels: [],
  },
  "kb.webhook.deliveries": {
    kind: "counter",
    unit: "{delivery}",
    description: "Attempts to deliver, by what came of them: delivered, retried, failed, dropped or error.",
    labels: ["kb.webhook.outcome"],
  },
  "kb.webhook.attempt.duration": {
    kind: "histogram",
    unit: "s",
    description: "How long receivers took to answer.",
    labels: ["kb.webhook.outcome"],
    buckets: requestSeconds,
  },
} as const satisfies Record<string, Metric>;

const databaseMetrics = {
  "db.client.operation.duration": {
    kind: "histogram",
    unit: "s",
    description: "Statements, from sending to their last row.",
    labels: ["db.system.name", "db.operation.name", "db.collection.name", "error.type"],
    buckets: databaseSeconds,
  },
  "db.client.connection.wait_time": {
    kind: "histogram",
    unit: "s",
    description: "How long it took to get a connection from the pool, or to be refused one.",
    labels: ["db.client.connection.pool.name"],
    buckets: databaseSeconds,
  },
  "db.client.connection.timeouts": {
    kind: "counter",
    unit: "{timeout}",
    description: "Waits for a connection that were given up.",
    labels: ["db.client.connection.pool.name"],
  },
  "db.client.connection.count": {
    kind: "gauge",
    unit: "{connection}",
    description: "Connections of the pool, by whether they are idle or used.",
    labels: ["db.client.connection.pool.name", "db.client.connection.state"],
  },
  "db.client.connection.max": {
    kind: "gauge",
    unit: "{connection}",
    description: "Connections that the pool may have.",
    labels: ["db.client.connection.pool.name"],
  },
  "db.client.connection.pending_requests": {
    kind: "gauge",
    unit: "{request}",
    description: "Who waits for a connection.",
    labels: ["db.client.connection.pool.name"],
  },
} as const satisfies Record<string, Metric>;

const processMetrics = {
  "nodejs.eventloop.delay.p50": {
    kind: "gauge",
    unit: "s",
    description: "How late the event loop was since it was last asked: the median.",
    labels: [],
  },
  "nodejs.eventloop.delay.p99": { kind: "gauge", unit: "s", description: "The same: one in a hundred.", labels: [] },
  "nodejs.eventloop.delay.max": { kind: "gauge", unit: "s", description: "The same: the longest.", labels: [] },
  "nodejs.eventloop.utilization": {
    kind: "gauge",
    unit: "1",
    description: "The share of the time since it was last asked in which the event loop was busy, 0 to 1.",
    labels: [],
  },
  "process.memory.usage": { kind: "gauge", unit: "By", description: "Memory of the process.", labels: [] },
} as const satisfies Record<string, Metric>;

const table = { ...httpMetrics, ...workMetrics, ...databaseMetrics, ...processMetrics };

type Table = typeof table;

/** `http.server.request.duration`, and all the others. */
export type MetricName = keyof Table;

type NameOf<Kind extends Metric["kind"]> = {
  [Name in MetricName]: Table[Name]["kind"] extends Kind ? Name : never;
}[MetricName];

export type HistogramName = NameOf<"histogram">;
export type CounterName = NameOf<"counter" | "upDownCounter">;
export type GaugeName = NameOf<"gauge">;

/** What may be said with a measurement, and nothing else. */
export type Labels<Name extends MetricName> = {
  readonly [Label in Table[Name]["labels"][number]]?: string | number;
};

/** Everything that is measured: the one list. docs/observability.md explains each. */
export const metrics: Readonly<Record<MetricName, Metric>> = table;
