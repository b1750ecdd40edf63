import { type DestinationStream, type Logger, pino } from "pino";
import type { EdgeMiddleware } from "./edge.ts";

export type { Logger } from "pino";

/** Structured logs, one JSON object a line, on standard output unless a destination is given. */
export function createLogger(options: { app: string; level: string; destination?: DestinationStream }): Logger {
  const { app, level, destination } = options;
  const settings = { level, base: { app }, timestamp: pino.stdTimeFunctions.isoTime, messageKey: "message" };
  return destination === undefined ? pino(settings) : pino(settings, destination);
}

/**
 * One wide line a request. It names the route, never the query string; no header, no body, nothing that a person wrote.
 * `clientIp` says where the request came from; what comes after reads it as `address`.
 */
export function accessLog(
  logger: Logger,
  clientIp: (context: Parameters<EdgeMiddleware>[0]) => string,
): EdgeMiddleware {
  return async (context, next) => {
    const startedAt = performance.now();
    const address = clientIp(context);
    context.set("address", address);
    context.set("log", logger.child({ requestId: context.get("requestId") }));
    await next();
    const { actor, channel, operation, route, failure, log } = context.var;
    const caller = channel ?? actor;
    const status = context.res.status;
    log[status >= 500 ? "error" : "info"](
      {
        method: context.req.method,
        // A path that no row has may hold anything at all, a pasted token too.
        route: route ?? "(none)",
        path: route === undefined ? undefined : context.req.path,
        status,
        durationMs: Math.round((performance.now() - startedAt) * 100) / 100,
        operation,
        teamId: caller?.teamId,
        userId: actor?.userId,
        credentialKind: caller?.credential.kind,
        credentialId: caller?.credential.id,
        clientIp: address,
        code: failure?.code,
        cause: failure?.cause,
      },
      "request",
    );
  };
}

const maxMessageLength = 200;

/**
 * What a log may hold of an error: its kind, where it happened, and its first line without what stands in quotes,
 * because PostgreSQL and Prisma quote the values that people wrote.
 */
export function describeError(thrown: unknown): unknown {
  if (!(thrown instanceof Error)) return { type: typeof thrown };
  const [firstLine = ""] = thrown.message.split("\n");
  const frames = (thrown.stack ?? "").split("\n").filter((line) => line.startsWith("    at "));
  return {
    type: thrown.name,
    code: Reflect.get(thrown, "code"),
    message: firstLine.replaceAll(/"[^"]*"|'[^']*'|`[^`]*`/g, "…").slice(0, maxMessageLength),
    stack: frames.slice(0, 12).map((line) => line.trim()),
    ...(thrown.cause === undefined ? {} : { cause: describeError(thrown.cause) }),
  };
}
