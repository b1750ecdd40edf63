const maxMessageLength = 200;

/**
 * Returns the parts of an error that a log may contain: its type, its stack and the first line of its message. Quoted text
 * is removed, because PostgreSQL and Prisma quote the values that people wrote.
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
