import { inScope, newTally, noTelemetry, readTraceParent, type Tally, type Telemetry } from "@kb/telemetry";
import type { EdgeContext, EdgeMiddleware } from "./edge.ts";
import type { Logger } from "./log.ts";
import type { ClientIp } from "./rate-limit/client-ip.ts";
import { beginRequest } from "./request-telemetry.ts";
import { routePattern } from "./route-pattern.ts";
import { type Sent, watchSending } from "./sending.ts";

/** Where requests are told. */
export type AccessLogOptions = {
  readonly logger: Logger;
  readonly clientIp: ClientIp;
  readonly telemetry?: Telemetry | undefined;
};

/**
 * One wide line a request, when the last byte of its answer has left; a span and measurements where they are asked for. It
 * names the route, never the query string; no header, no body, nothing that a person wrote. `clientIp` says where the
 * request came from; what comes after reads it as `address`.
 */
export function accessLog({ logger, clientIp, telemetry = noTelemetry }: AccessLogOptions): EdgeMiddleware {
  return async (context, next) => {
    const startedAt = performance.now();
    const remote = readTraceParent(context.req.header("traceparent"));
    const told = beginRequest(context, telemetry, remote);
    const traceId = told.span?.traceId ?? remote?.traceId;
    const tally = logger.isLevelEnabled("info") ? newTally() : undefined;
    context.set("address", clientIp(context));
    const { requestId } = context.var;
    context.set("log", logger.child(traceId === undefined ? { requestId } : { requestId, traceId }));
    const sending = watchSending(context);
    if (tally === undefined && told.span === undefined) await next();
    else await inScope({ tally, span: told.span }, next);
    const durationMs = performance.now() - startedAt;
    const route = context.var.route ?? routePattern(context);
    if (route !== undefined) context.set("route", route);
    told.answered(durationMs);
    sending.whenSent((sent) => {
      const sentMs = performance.now() - startedAt;
      told.sent(sentMs);
      writeLine(context, { durationMs, sentMs, sent, tally });
    });
  };
}

type Costs = {
  /** Until the answer began. */
  readonly durationMs: number;
  /** Until its last byte had left. */
  readonly sentMs: number;
  readonly sent: Sent | undefined;
  readonly tally: Tally | undefined;
};

function writeLine(context: EdgeContext, { durationMs, sentMs, sent, tally }: Costs): void {
  const { actor, channel, operation, route, failure, log, address, allowance, mcp } = context.var;
  const caller = channel ?? actor;
  const { status } = context.res;
  log[status >= 500 ? "error" : "info"](
    {
      method: context.req.method,
      // A path that no row has may hold anything at all, a pasted token too.
      route: route ?? "(none)",
      path: route === undefined ? undefined : context.req.path,
      status,
      durationMs: rounded(durationMs),
      sentMs: sent === undefined ? undefined : rounded(sentMs),
      requestBytes: declaredLength(context),
      responseBytes: sent?.bytes,
      aborted: sent?.aborted === true ? true : undefined,
      statements: tally?.statements,
      sqlMs: tally === undefined ? undefined : rounded(tally.sqlMs),
      poolWaitMs: tally === undefined ? undefined : rounded(tally.poolWaitMs),
      operation,
      mcpEra: mcp?.era,
      mcpMethod: mcp?.method,
      mcpTool: mcp?.tool,
      teamId: caller?.teamId,
      userId: actor?.userId,
      credentialKind: caller?.credential.kind,
      credentialId: caller?.credential.id,
      clientIp: address,
      rateLimit: allowance?.limit,
      rateRemaining: allowance?.remaining,
      code: failure?.code,
      cause: failure?.cause,
    },
    "request",
  );
}

const rounded = (milliseconds: number): number => Math.round(milliseconds * 100) / 100;

/** What the client says of its body; one that is sent in chunks says nothing. */
function declaredLength(context: EdgeContext): number | undefined {
  const declared = context.req.header("Content-Length");
  return declared !== undefined && /^\d{1,15}$/.test(declared) ? Number(declared) : undefined;
}
