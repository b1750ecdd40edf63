import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { PrometheusSerializer } from "@opentelemetry/exporter-prometheus";
import { MetricReader, type ResourceMetrics } from "@opentelemetry/sdk-metrics";
import { MetricsPortError } from "../metrics-port-error.ts";

/** Collects metrics on demand. */
export class PullReader extends MetricReader {
  protected override async onForceFlush(): Promise<void> {
    // Nothing is buffered.
  }

  protected override async onShutdown(): Promise<void> {
    // Nothing is open.
  }
}

/** Omits gauges that take longer, such as those that query the database. */
const collectMs = 3_000;

type Scrapes = { readonly port: number; close(): Promise<void> };

/** Serves `GET /metrics` in Prometheus' text format on its own port. @throws {MetricsPortError} if it is not available */
export async function listenForScrapes(reader: MetricReader, host: string, port: number): Promise<Scrapes> {
  const read = scraper(reader);
  const server = createServer({ headersTimeout: 10_000, requestTimeout: 10_000 }, (request, response) => {
    void answer(request, response, read);
  });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once("error", reject);
  server.listen(port, host, resolve);
  await promise.catch((cause: NodeJS.ErrnoException) => {
    throw new MetricsPortError(host, port, cause);
  });
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : port,
    close: () => {
      const closed = new Promise<void>((done) => server.close(() => done()));
      server.closeAllConnections();
      return closed;
    },
  };
}

async function answer(request: IncomingMessage, response: ServerResponse, read: () => Promise<string>): Promise<void> {
  const [path] = (request.url ?? "").split("?");
  if (path !== "/metrics") return void response.writeHead(404).end();
  if (request.method !== "GET") return void response.writeHead(405, { Allow: "GET" }).end();
  try {
    const text = await read();
    response.writeHead(200, { "Content-Type": "text/plain; version=0.0.4; charset=utf-8" }).end(text);
  } catch {
    response.writeHead(503).end();
  }
}

/** Collects once for all concurrent requests, so that scrapes cannot overload the service. */
function scraper(reader: MetricReader): () => Promise<string> {
  const serializer = new PrometheusSerializer("", false, undefined, false, true);
  let reading: Promise<string> | undefined;
  const read = async (): Promise<string> => {
    const { resourceMetrics } = await reader.collect({ timeoutMillis: collectMs });
    return serializer.serialize(withUnits(resourceMetrics));
  };
  return () => {
    reading ??= read().finally(() => {
      reading = undefined;
    });
    return reading;
  };
}

/** Prometheus' names end with their unit, which the serializer omits. */
const suffixes: Readonly<Record<string, string>> = { s: "_seconds", By: "_bytes" };

function withUnits(read: ResourceMetrics): ResourceMetrics {
  const scopeMetrics = read.scopeMetrics.map(({ scope, metrics }) => ({
    scope,
    metrics: metrics.map((metric) => {
      const { name, unit } = metric.descriptor;
      return { ...metric, descriptor: { ...metric.descriptor, name: `${name}${suffixes[unit] ?? ""}`, unit: "" } };
    }),
  }));
  return { ...read, scopeMetrics };
}
