/** Definition of one instrument. Names and units follow OpenTelemetry's semantic conventions where they define one. */
type Metric = {
  readonly kind: "histogram" | "counter" | "upDownCounter" | "gauge";
  /** UCUM unit: `s`, `By`, `1`, or an annotation in braces. */
  readonly unit: string;
  readonly description: string;
  /** Each label has few values, such as a route's pattern or an operation's name, never an id or text of a user. */
  readonly labels: readonly string[];
  /** Upper bounds of a histogram's buckets. */
  readonly buckets?: readonly number[];
};

const requestSeconds = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];
const databaseSeconds = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10];

const httpMetrics = {
  "http.server.request.duration": {
    kind: "histogram",
    unit: "s",
    description: "Time from the head of a request to the last byte of the response; for event streams, to their start.",
    labels: ["http.request.method", "http.route", "http.response.status_code", "error.type"],
    buckets: requestSeconds,
  },
  "http.server.active_requests": {
    kind: "upDownCounter",
    unit: "{request}",
    description: "Requests in progress.",
    labels: ["http.request.method"],
  },
  "kb.http.event_streams": {
    kind: "upDownCounter",
    unit: "{stream}",
    description: "Open streams of server-sent events.",
    labels: ["http.route"],
  },
  "kb.http.probe.duration": {
    kind: "histogram",
    unit: "s",
    description: "Duration of probes of the health, which the metrics of requests leave out.",
    labels: ["http.response.status_code"],
    buckets: requestSeconds,
  },
  "kb.authentication.failures": {
    kind: "counter",
    unit: "{request}",
    description: "Requests answered with 401.",
    labels: ["http.route", "error.type"],
  },
  "kb.rate_limit.decisions": {
    kind: "counter",
    unit: "{decision}",
    description: "Decisions of the rate limiter, by outcome and by the kind of client.",
    labels: ["kb.rate_limit.outcome", "kb.rate_limit.subject"],
  },
} as const satisfies Record<string, Metric>;

const workMetrics = {
  "kb.operation.duration": {
    kind: "histogram",
    unit: "s",
    description: "Duration of operations over every interface; the outcome is ok or the error's code.",
    labels: ["kb.operation.name", "kb.operation.outcome"],
    buckets: requestSeconds,
  },
  "kb.outbox.depth": {
    kind: "gauge",
    unit: "{event}",
    description: "Events that webhooks have not read.",
    labels: [],
  },
  "kb.outbox.age": {
    kind: "gauge",
    unit: "s",
    description: "Age of the oldest event that webhooks have not read.",
    labels: [],
  },
  "kb.change_log.unread": {
    kind: "gauge",
    unit: "{event}",
    description: "Events that a consumer of the change log has not read.",
    labels: ["kb.change_log.consumer"],
  },
  "kb.change_log.age": {
    kind: "gauge",
    unit: "s",
    description: "Age of the oldest event that a consumer of the change log has not read.",
    labels: ["kb.change_log.consumer"],
  },
  "kb.webhook.deliveries.due": {
    kind: "gauge",
    unit: "{delivery}",
    description: "Deliveries that are due; counted up to 100,000.",
    labels: [],
  },
  "kb.storage.used": {
    kind: "gauge",
    unit: "By",
    description: "Stored bytes of all teams: Markdown of documents, bodies of earlier revisions, and attachments.",
    labels: ["kb.storage.kind"],
  },
  "kb.storage.most_used": {
    kind: "gauge",
    unit: "By",
    description: "Stored bytes of the team, and of the user, who has most of a kind.",
    labels: ["kb.storage.kind", "kb.storage.holder"],
  },
  "kb.storage.limit": {
    kind: "gauge",
    unit: "By",
    description: "The quotas that are set: the bytes that each team, and each user, may store of a kind.",
    labels: ["kb.storage.kind", "kb.storage.holder"],
  },
  "kb.webhook.deliveries": {
    kind: "counter",
    unit: "{delivery}",
    description: "Delivery attempts, by outcome: delivered, retried, failed, dropped or error.",
    labels: ["kb.webhook.outcome"],
  },
  "kb.webhook.attempt.duration": {
    kind: "histogram",
    unit: "s",
    description: "Time that receivers took to respond.",
    labels: ["kb.webhook.outcome"],
    buckets: requestSeconds,
  },
} as const satisfies Record<string, Metric>;

const databaseMetrics = {
  "db.client.operation.duration": {
    kind: "histogram",
    unit: "s",
    description: "Time from sending a statement to its last row.",
    labels: ["db.system.name", "db.operation.name", "db.collection.name", "error.type"],
    buckets: databaseSeconds,
  },
  "db.client.connection.wait_time": {
    kind: "histogram",
    unit: "s",
    description: "Time until the pool provided or refused a connection.",
    labels: ["db.client.connection.pool.name"],
    buckets: databaseSeconds,
  },
  "db.client.connection.timeouts": {
    kind: "counter",
    unit: "{timeout}",
    description: "Requests for a connection that timed out.",
    labels: ["db.client.connection.pool.name"],
  },
  "db.client.connection.count": {
    kind: "gauge",
    unit: "{connection}",
    description: "Connections of the pool, idle or used.",
    labels: ["db.client.connection.pool.name", "db.client.connection.state"],
  },
  "db.client.connection.max": {
    kind: "gauge",
    unit: "{connection}",
    description: "Maximum number of connections of the pool.",
    labels: ["db.client.connection.pool.name"],
  },
  "db.client.connection.pending_requests": {
    kind: "gauge",
    unit: "{request}",
    description: "Requests waiting for a connection.",
    labels: ["db.client.connection.pool.name"],
  },
  "kb.replica.reads": {
    kind: "counter",
    unit: "{read}",
    description:
      "Reads of operations that may use a read replica: replica where one answered, otherwise the reason for reading the primary: behind, busy, failed or unusable.",
    labels: ["kb.replica.outcome", "kb.replica.host"],
  },
  "kb.replica.lag": {
    kind: "gauge",
    unit: "s",
    description: "How far a read replica was behind the primary at its last check.",
    labels: ["kb.replica.host"],
  },
  "kb.replica.usable": {
    kind: "gauge",
    unit: "1",
    description: "1 for a read replica that is read, 0 for one that is down, lagging or no replica of the database.",
    labels: ["kb.replica.host"],
  },
} as const satisfies Record<string, Metric>;

const processMetrics = {
  "nodejs.eventloop.delay.p50": {
    kind: "gauge",
    unit: "s",
    description: "Median delay of the event loop since the last reading.",
    labels: [],
  },
  "nodejs.eventloop.delay.p99": {
    kind: "gauge",
    unit: "s",
    description: "99th percentile of the delay of the event loop since the last reading.",
    labels: [],
  },
  "nodejs.eventloop.delay.max": {
    kind: "gauge",
    unit: "s",
    description: "Maximum delay of the event loop since the last reading.",
    labels: [],
  },
  "nodejs.eventloop.utilization": {
    kind: "gauge",
    unit: "1",
    description: "Share of the time since the last reading in which the event loop was busy, 0 to 1.",
    labels: [],
  },
  "process.memory.usage": { kind: "gauge", unit: "By", description: "Resident memory of the process.", labels: [] },
} as const satisfies Record<string, Metric>;

const table = { ...httpMetrics, ...workMetrics, ...databaseMetrics, ...processMetrics };

type Table = typeof table;

/** The name of a metric, such as `http.server.request.duration`. */
export type MetricName = keyof Table;

type NameOf<Kind extends Metric["kind"]> = {
  [Name in MetricName]: Table[Name]["kind"] extends Kind ? Name : never;
}[MetricName];

export type HistogramName = NameOf<"histogram">;
export type CounterName = NameOf<"counter" | "upDownCounter">;
export type GaugeName = NameOf<"gauge">;

/** The labels that a measurement may have. */
export type Labels<Name extends MetricName> = {
  readonly [Label in Table[Name]["labels"][number]]?: string | number;
};

/** All metrics. docs/observability.md explains each. */
export const metrics: Readonly<Record<MetricName, Metric>> = table;
