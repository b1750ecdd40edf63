import type { Span, Telemetry } from "@kb/telemetry";
import type { EdgeContext } from "./edge.ts";
import { healthPath } from "./health.ts";

type TraceParent = NonNullable<Parameters<Telemetry["begin"]>[1]["remote"]>;

/** The span and the metrics of a request. */
export type RequestTelemetry = {
  /** The parent of the spans of the request's work; undefined if no spans are recorded. */
  readonly span: Span | undefined;
  /** Call it when the answer begins. */
  onAnswer(durationMs: number): void;
  /** Call it when the last byte was sent. */
  onSent(sentMs: number): void;
};

/** The methods of HTTP. Any other word was chosen by the client and must not become a label. */
const methods: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

const noRequestTelemetry: RequestTelemetry = { span: undefined, onAnswer: () => {}, onSent: () => {} };

/** Returns whether a request asks for the health. Probes come every few seconds, and would hide the requests of clients. */
export const isProbe = (context: EdgeContext): boolean => context.req.path === healthPath;

/** Measures a probe: a metric of its own, and no span. */
const probeTelemetry = (context: EdgeContext, telemetry: Telemetry): RequestTelemetry => ({
  ...noRequestTelemetry,
  onSent: (sentMs) =>
    telemetry.record("kb.http.probe.duration", sentMs / 1000, { "http.response.status_code": context.res.status }),
});

/**
 * Measures a request: `http.server.request.duration` and others, by path pattern, status and error code; a probe of the
 * health by `kb.http.probe.duration` alone.
 */
export function startRequestTelemetry(
  context: EdgeContext,
  telemetry: Telemetry,
  remote: TraceParent | undefined,
): RequestTelemetry {
  if (!telemetry.traces && !telemetry.metrics) return noRequestTelemetry;
  if (isProbe(context)) return probeTelemetry(context, telemetry);
  const method = methods.has(context.req.method) ? context.req.method : "_OTHER";
  const byMethod = { "http.request.method": method };
  const span = telemetry.begin(method, { kind: "server", attributes: byMethod, remote });
  telemetry.add("http.server.active_requests", 1, byMethod);
  let stream = false;

  const measure = (ms: number): void => {
    const labels = { ...byMethod, ...outcomeOf(context) };
    telemetry.record("http.server.request.duration", ms / 1000, labels);
    if (context.res.status === 401) telemetry.add("kb.authentication.failures", 1, refusalOf(context));
  };
  return {
    span,
    onAnswer: (durationMs) => {
      stream = (context.res.headers.get("Content-Type") ?? "").startsWith("text/event-stream");
      if (!stream) return;
      // A stream may stay open for hours, so only the time until it begins is measured.
      measure(durationMs);
      telemetry.add("kb.http.event_streams", 1, routeOf(context));
    },
    onSent: (sentMs) => {
      telemetry.add("http.server.active_requests", -1, byMethod);
      if (stream) telemetry.add("kb.http.event_streams", -1, routeOf(context));
      else measure(sentMs);
      if (span !== undefined) endSpan(context, span, method);
    },
  };
}

const routeOf = ({ var: { route } }: EdgeContext) => (route === undefined ? {} : { "http.route": route });

function outcomeOf(context: EdgeContext) {
  const { status } = context.res;
  const failed = status < 400 ? {} : { "error.type": context.var.failure?.code ?? String(status) };
  return { ...routeOf(context), "http.response.status_code": status, ...failed };
}

const refusalOf = (context: EdgeContext) => ({
  ...routeOf(context),
  "error.type": context.var.failure?.code ?? "refused",
});

function endSpan(context: EdgeContext, span: Span, method: string): void {
  const { route, operation, mcp, failure } = context.var;
  const { status } = context.res;
  if (route !== undefined) span.rename(`${method} ${route}`);
  span.set(outcomeOf(context));
  if (operation !== undefined) span.set({ "kb.operation.name": operation });
  if (mcp !== undefined) span.set({ "mcp.method.name": mcp.method, "kb.mcp.era": mcp.era });
  if (mcp?.tool !== undefined) span.set({ "gen_ai.tool.name": mcp.tool });
  // By the conventions of OpenTelemetry, an error of the client does not fail the span of the server.
  if (status >= 500) span.fail(failure?.code ?? String(status));
  span.end();
}
