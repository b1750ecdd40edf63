import { type DestinationStream, type Logger, pino } from "pino";

export type { Logger } from "pino";

/** Structured logs, one JSON object a line, on standard output unless a destination is given. */
export function createLogger(options: { app: string; level: string; destination?: DestinationStream }): Logger {
  const { app, level, destination } = options;
  const settings = { level, base: { app }, timestamp: pino.stdTimeFunctions.isoTime, messageKey: "message" };
  return destination === undefined ? pino(settings) : pino(settings, destination);
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
