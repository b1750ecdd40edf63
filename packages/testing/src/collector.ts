import { createServer, type IncomingMessage } from "node:http";
import { z } from "zod";

const Value = z.object({
  stringValue: z.string().optional(),
  intValue: z.union([z.number(), z.string()]).optional(),
  doubleValue: z.number().optional(),
  boolValue: z.boolean().optional(),
});

const Pairs = z.array(z.object({ key: z.string(), value: Value })).default([]);

const Span = z.object({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().default(""),
  name: z.string(),
  kind: z.number(),
  attributes: Pairs,
  status: z.object({ code: z.number().default(0) }).default({ code: 0 }),
});

const Traces = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes: Pairs }),
      scopeSpans: z.array(z.object({ spans: z.array(Span) })),
    }),
  ),
});

/** Span as a collector receives it; kinds and codes are those of the protocol (server 2, client 3; error 2). */
export type CollectedSpan = Omit<z.output<typeof Span>, "attributes"> & {
  readonly service: string | undefined;
  readonly attributes: Readonly<Record<string, string>>;
};

/** OpenTelemetry collector for OTLP over HTTP with JSON. */
export type Collector = {
  /** Value for `OTEL_EXPORTER_OTLP_ENDPOINT`. */
  readonly url: string;
  readonly spans: readonly CollectedSpan[];
  /** All requests that were received, unparsed. */
  readonly bodies: readonly { readonly path: string; readonly text: string }[];
  /** Stops answering requests, so that their senders wait. */
  hang(): void;
  close(): Promise<void>;
};

/** Starts a collector on a free port. */
export async function startCollector(): Promise<Collector> {
  const spans: CollectedSpan[] = [];
  const bodies: { path: string; text: string }[] = [];
  let hanging = false;
  const server = createServer(async (request, response) => {
    const text = await textOf(request);
    bodies.push({ path: request.url ?? "", text });
    if (hanging) return;
    if (request.url === "/v1/traces") spans.push(...spansIn(text));
    response.writeHead(200, { "Content-Type": "application/json" }).end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the collector does not listen");
  return {
    url: `http://127.0.0.1:${address.port}`,
    spans,
    bodies,
    hang: () => {
      hanging = true;
    },
    close: () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      return closed;
    },
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString();
}

function spansIn(text: string): CollectedSpan[] {
  return Traces.parse(JSON.parse(text)).resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap((scope) =>
      scope.spans.map((span) => ({
        ...span,
        service: valuesOf(resource.attributes)["service.name"],
        attributes: valuesOf(span.attributes),
      })),
    ),
  );
}

const valuesOf = (pairs: z.output<typeof Pairs>): Record<string, string> =>
  Object.fromEntries(
    pairs.map(({ key, value }) => [
      key,
      String(value.stringValue ?? value.intValue ?? value.doubleValue ?? value.boolValue),
    ]),
  );
