import type { Span, Telemetry } from "@kb/telemetry";
import type { EdgeContext } from "./edge.ts";

type TraceParent = NonNullable<Parameters<Telemetry["begin"]>[1]["remote"]>;

/** A request as telemetry knows it. */
export type RequestTelemetry = {
  /** What is done for the request is told below this; undefined where no spans are recorded. */
  readonly span: Span | undefined;
  /** The answer begins. */
  answered(durationMs: number): void;
  /** Its last byte has left. */
  sent(sentMs: number): void;
};

/** The methods of HTTP; any other word is the client's own, and becomes no label. */
const methods: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

const untold: RequestTelemetry = { span: undefined, answered: () => {}, sent: () => {} };

/** Tells of a request: `http.server.request.duration` and the rest, by its route's pattern, its status and error code. */
export function beginRequest(
  context: EdgeContext,
  telemetry: Telemetry,
  remote: TraceParent | undefined,
): RequestTelemetry {
  if (!telemetry.traces && !telemetry.metrics) return untold;
  const method = methods.has(context.req.method) ? context.req.method : "_OTHER";
  const byMethod = { "http.request.method": method };
  const span = telemetry.begin(method, { kind: "server", attributes: byMethod, remote });
  telemetry.add("http.server.active_requests", 1, byMethod);
  let stream = false;

  const measured = (ms: number): void => {
    const labels = { ...byMethod, ...outcomeOf(context) };
    telemetry.record("http.server.request.duration", ms / 1000, labels);
    if (context.res.status === 401) telemetry.add("kb.authentication.failures", 1, refusalOf(context));
  };
  return {
    span,
    answered: (durationMs) => {
      stream = (context.res.headers.get("Content-Type") ?? "").startsWith("text/event-stream");
      if (!stream) return;
      // It may be open for hours: what took its time is what came before.
      measured(durationMs);
      telemetry.add("kb.http.event_streams", 1, routeOf(context));
    },
    sent: (sentMs) => {
      telemetry.add("http.server.active_requests", -1, byMethod);
      if (stream) telemetry.add("kb.http.event_streams", -1, routeOf(context));
      else measured(sentMs);
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
  // By the conventions a client's own mistake is no failure of the server.
  if (status >= 500) span.fail(failure?.code ?? String(status));
  span.end();
}
