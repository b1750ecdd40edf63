import { z } from "zod";
import { blockList } from "./rate-limit/client-ip.ts";

/** What is wrong with the environment, one line a variable; its message is meant for a person at a terminal. */
export class EnvironmentError extends Error {
  override readonly name = "EnvironmentError";
}

/**
 * Reads an app's environment by its schema. An empty variable counts as unset, as in a compose file.
 * @throws {EnvironmentError} that names every problem at once, and never a value: some are secrets.
 */
export function readEnvironment<Schema extends z.ZodType>(
  schema: Schema,
  environment: Readonly<Record<string, string | undefined>>,
): z.output<Schema> {
  const present = Object.entries(environment).filter(([, value]) => value !== undefined && value.trim() !== "");
  const parsed = schema.safeParse(Object.fromEntries(present));
  if (parsed.success) return parsed.data;
  const lines = parsed.error.issues.map((issue) => `  ${issue.path.map(String).join(".")}: ${issue.message}`);
  throw new EnvironmentError(
    `The environment is not right:\n${lines.join("\n")}\n.env.example explains each variable.`,
  );
}

/** A whole number between the two, written in digits. */
export function wholeNumber(minimum: number, maximum: number) {
  return z
    .string()
    .regex(/^\d{1,15}$/, `must be a whole number from ${minimum} to ${maximum}`)
    .transform(Number)
    .refine((value) => value >= minimum && value <= maximum, `must be a whole number from ${minimum} to ${maximum}`);
}

/** Whether the host is this very machine: what goes there crosses no network. */
const isLoopback = ({ hostname }: URL): boolean =>
  hostname === "localhost" ||
  hostname.endsWith(".localhost") ||
  hostname === "[::1]" ||
  /^127(\.\d+){3}$/.test(hostname);

/**
 * An origin such as `https://wiki.example.com`: no path, no query; given without a trailing slash. Log-ins and keys cross
 * it, so it is https but on the machine itself.
 */
export const Origin = z
  .url({ protocol: /^https?$/, error: "must be an origin such as https://wiki.example.com" })
  .transform((text) => new URL(text))
  .refine((url) => url.pathname === "/" && url.search === "" && url.hash === "" && url.username === "", {
    message: "must be an origin without a path, such as https://wiki.example.com",
  })
  .refine((url) => url.protocol === "https:" || isLoopback(url), {
    message: "must be https; http only on this machine (localhost, 127.0.0.1, [::1])",
  })
  .transform((url) => url.origin);

/** The address of a service that keys are sent to: https, but on the machine itself. */
export const SecureUrl = z
  .url({ protocol: /^https?$/, error: "must be an address such as https://id.example.com/realms/team" })
  .refine((text) => new URL(text).protocol === "https:" || isLoopback(new URL(text)), {
    message: "must be https; http only on this machine (localhost, 127.0.0.1, [::1])",
  });

/** The secret of the installation: long, and no placeholder out of an example. */
export const AppSecret = z
  .string()
  .min(32, "must have at least 32 characters (openssl rand -hex 32 makes one)")
  .refine((secret) => new Set(secret).size >= 8 && !/change.?(me|this|it)|your.?secret|example/i.test(secret), {
    message: "must be random (openssl rand -hex 32 makes one)",
  });

/** Where PostgreSQL is. */
export const DatabaseUrl = z.url({
  protocol: /^postgres(ql)?$/,
  error: "must be a PostgreSQL address such as postgresql://user:password@host:5432/kb",
});

/** Where Redis is. */
export const RedisUrl = z.url({ protocol: /^rediss?$/, error: "must be a Redis address such as redis://host:6379" });

export const LogLevel = z.enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"], {
  error: "must be one of fatal, error, warn, info, debug, trace, silent",
});

/** On or off. */
export const Switch = z
  .enum(["true", "false", "1", "0"], { error: "must be true or false" })
  .transform((text) => text === "true" || text === "1");

/** Addresses and CIDR ranges, between commas. */
export const ProxyList = z
  .string()
  .transform((text) => text.split(",").flatMap((entry) => entry.trim() || []))
  .refine(isBlockList, "must be addresses and CIDR ranges between commas, such as 10.0.0.0/8,::1");

function isBlockList(entries: readonly string[]): boolean {
  try {
    blockList(entries);
    return true;
  } catch {
    return false;
  }
}
