import { callerKinds } from "@kb/core";
import type { Logger } from "@kb/runtime";
import {
  databaseMsOf,
  inScope,
  newTally,
  noTelemetry,
  readTraceParent,
  type Tally,
  type Telemetry,
} from "@kb/telemetry";
import type { ClientIp } from "./client-ip.ts";
import { declaredLength } from "./declared-length.ts";
import type { EdgeContext, EdgeMiddleware } from "./edge.ts";
import { isProbe, startRequestTelemetry } from "./request-telemetry.ts";
import { routePattern } from "./route-pattern.ts";
import { type SendResult, watchResponse } from "./watch-response.ts";

/** Options of the access log. */
export type AccessLogOptions = {
  readonly logger: Logger;
  readonly clientIp: ClientIp;
  readonly telemetry?: Telemetry | undefined;
};

/**
 * Writes one wide log line per request once the last byte of its answer was sent, and records a span and metrics where they
 * are enabled. The line names the path pattern and never contains the query string, a header, the body or other text that a
 * person wrote. A probe of the health has no line unless it fails, and then a warning. Sets `address`, the client's address, for the handlers that follow.
 */
export function accessLog({ logger, clientIp, telemetry = noTelemetry }: AccessLogOptions): EdgeMiddleware {
  return async (context, next) => {
    const startedAt = performance.now();
    const remote = readTraceParent(context.req.header("traceparent"));
    const requestTelemetry = startRequestTelemetry(context, telemetry, remote);
    const traceId = requestTelemetry.span?.traceId ?? remote?.traceId;
    const tally = logger.isLevelEnabled("info") ? newTally() : undefined;
    context.set("address", clientIp(context));
    const requestId = context.get("requestId");
    context.set("log", logger.child(traceId === undefined ? { requestId } : { requestId, traceId }));
    const response = watchResponse(context);
    if (tally === undefined && requestTelemetry.span === undefined) await next();
    else await inScope({ tally, span: requestTelemetry.span }, next);
    const durationMs = performance.now() - startedAt;
    const route = context.get("route") ?? routePattern(context);
    if (route !== undefined) context.set("route", route);
    requestTelemetry.onAnswer(durationMs);
    response.onSent((sent) => {
      const sentMs = performance.now() - startedAt;
      requestTelemetry.onSent(sentMs);
      writeLine(context, { durationMs, sentMs, sent, tally });
    });
  };
}

type Costs = {
  /** Time until the answer began. */
  readonly durationMs: number;
  /** Time until its last byte was sent. */
  readonly sentMs: number;
  readonly sent: SendResult | undefined;
  readonly tally: Tally | undefined;
};

function writeLine(context: EdgeContext, { durationMs, sentMs, sent, tally }: Costs): void {
  // `var` copies all variables: it is read once.
  const { caller, operation, route, failure, log, address, allowance, mcp, cpuMeter, hasSecretPath } = context.var;
  const { status } = context.res;
  const probe = isProbe(context);
  if (probe && status < 400) return;
  // The service answers probes with 503 on purpose, for example while it stops.
  const level = probe ? "warn" : status >= 500 ? "error" : "info";
  log[level](
    {
      method: context.req.method,
      // An unknown path may contain anything, even a pasted token.
      route: route ?? "(none)",
      path: route === undefined || hasSecretPath === true ? undefined : context.req.path,
      status,
      durationMs: rounded(durationMs),
      sentMs: sent === undefined ? undefined : rounded(sentMs),
      requestBytes: declaredLength(context),
      responseBytes: sent?.bytes,
      aborted: sent?.aborted === true ? true : undefined,
      cpuMs: cpuMeter === undefined ? undefined : rounded(cpuMeter.cpuMs),
      databaseMs: cpuMeter === undefined ? undefined : rounded(databaseMsOf(cpuMeter)),
      statements: tally?.statements,
      sqlMs: tally === undefined ? undefined : rounded(tally.sqlMs),
      poolWaitMs: tally === undefined ? undefined : rounded(tally.poolWaitMs),
      operation,
      mcpEra: mcp?.era,
      mcpMethod: mcp?.method,
      mcpTool: mcp?.tool,
      teamId: caller?.teamId,
      userId: caller !== undefined && callerKinds.user.matches(caller) ? caller.userId : undefined,
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
