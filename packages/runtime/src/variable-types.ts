import { z } from "zod";
import { addressList } from "./address-list.ts";

/** Accepts a whole number from `minimum` to `maximum`, written in digits. */
export function wholeNumber(minimum: number, maximum: number) {
  return z
    .string()
    .regex(/^\d{1,15}$/, `must be a whole number from ${minimum} to ${maximum}`)
    .transform(Number)
    .refine((value) => value >= minimum && value <= maximum, `must be a whole number from ${minimum} to ${maximum}`);
}

/** Returns whether the host is this machine, so that requests to it cross no network. */
const isLoopback = ({ hostname }: URL): boolean =>
  hostname === "localhost" ||
  hostname.endsWith(".localhost") ||
  hostname === "[::1]" ||
  /^127(\.\d+){3}$/.test(hostname);

/** Returns whether requests to the origin cross a network unencrypted, credentials included. */
export function isInsecureOrigin(origin: string): boolean {
  const url = new URL(origin);
  return url.protocol !== "https:" && !isLoopback(url);
}

/**
 * Accepts an origin such as `https://wiki.example.com`, without a path or query, and returns it without a trailing slash.
 * `readEnvironment` refuses http to other machines, unless ALLOW_INSECURE_HTTP is set.
 */
export const Origin = z
  .url({ protocol: /^https?$/, error: "must be an origin such as https://wiki.example.com" })
  .transform((text) => new URL(text))
  .refine((url) => url.pathname === "/" && url.search === "" && url.hash === "" && url.username === "", {
    message: "must be an origin without a path, such as https://wiki.example.com",
  })
  .transform((url) => url.origin);

/** Accepts the address of a service that credentials are sent to: https, or http on this machine. */
export const SecureUrl = z
  .url({ protocol: /^https?$/, error: "must be an address such as https://id.example.com/realms/team" })
  .refine((text) => new URL(text).protocol === "https:" || isLoopback(new URL(text)), {
    message: "must be https; http only on this machine (localhost, 127.0.0.1, [::1])",
  });

/** Accepts the secret of the installation: long, random, and not a placeholder from an example. */
export const AppSecret = z
  .string()
  .min(32, "must have at least 32 characters (openssl rand -hex 32 makes one)")
  .refine((secret) => new Set(secret).size >= 8 && !/change.?(me|this|it)|your.?secret|example/i.test(secret), {
    message: "must be random (openssl rand -hex 32 makes one)",
  });

/** Accepts the address of a PostgreSQL database. */
export const DatabaseUrl = z.url({
  protocol: /^postgres(ql)?$/,
  error: "must be a PostgreSQL address such as postgresql://user:password@host:5432/kb",
});

/** Accepts addresses of PostgreSQL databases, separated by commas. */
export const DatabaseUrls = z
  .string()
  .transform((text) => text.split(",").flatMap((entry) => entry.trim() || []))
  .pipe(z.array(DatabaseUrl));

/** Accepts the address of a Redis server. */
export const RedisUrl = z.url({ protocol: /^rediss?$/, error: "must be a Redis address such as redis://host:6379" });

/** Accepts the address of a mail server. `smtps:` is TLS from the beginning, `smtp:` upgrades by STARTTLS. */
export const SmtpUrl = z
  .url({
    protocol: /^smtps?$/,
    error: "must be an address of a mail server such as smtp://user:password@mail.example.com:587",
    abort: true,
  })
  .refine(hasReadableLogIn, "must have %25 in place of each % in the user and the password");

function hasReadableLogIn(text: string): boolean {
  const { username, password } = new URL(text);
  try {
    decodeURIComponent(username);
    decodeURIComponent(password);
    return true;
  } catch {
    return false;
  }
}

/** Accepts a sender such as `Wiki <wiki@example.com>`, or the address alone. */
export const MailSender = z
  .string()
  .regex(
    /^(?:[^<>\r\n,;]{1,100}<[^<>@\s]+@[^<>@\s]+>|[^<>@\s,;]+@[^<>@\s,;]+)$/,
    "must be a sender such as Wiki <wiki@example.com>",
  );

/** Accepts a level of pino. */
export const LogLevel = z.enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"], {
  error: "must be one of fatal, error, warn, info, debug, trace, silent",
});

/** Accepts `true` or `1`, and `false` or `0`. */
export const Switch = z
  .enum(["true", "false", "1", "0"], { error: "must be true or false" })
  .transform((text) => text === "true" || text === "1");

/** Accepts addresses and CIDR ranges, separated by commas. */
export const ProxyList = z
  .string()
  .transform((text) => text.split(",").flatMap((entry) => entry.trim() || []))
  .refine(isAddressList, "must be addresses and CIDR ranges separated by commas, such as 10.0.0.0/8,::1");

function isAddressList(entries: readonly string[]): boolean {
  try {
    addressList(entries);
    return true;
  } catch {
    return false;
  }
}
