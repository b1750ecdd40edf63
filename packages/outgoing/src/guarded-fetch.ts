import { isIP } from "node:net";
import { Agent, type Dispatcher, request } from "undici";
import { guardedLookup, type Resolve, refusedAddress, resolveBySystem } from "./guarded-lookup.ts";
import { OutgoingError } from "./outgoing-error.ts";
import { isPublicAddress } from "./public-address.ts";

/** What to send, and how much to wait for. */
export type OutgoingRequest = {
  /** Default `GET`. */
  readonly method?: "GET" | "POST" | "HEAD";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** For all of it, in milliseconds: look-up, connection, answer. */
  readonly timeoutMs: number;
  /** So much of the answer's body is taken at most. */
  readonly maxBytes: number;
  /** What a longer one is: cut off there, or an error (the default). */
  readonly onOversize?: "truncate" | "fail";
  readonly signal?: AbortSignal;
};

/** An answer, whatever its status: a redirect is one too, and is not followed. */
export type OutgoingAnswer = {
  readonly status: number;
  /** By their names in lower case; of several of one name, joined by commas. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  readonly truncated: boolean;
};

/** Sends one request to an address that somebody else chose. @throws {OutgoingError} */
export type Outgoing = (url: string, request: OutgoingRequest) => Promise<OutgoingAnswer>;

export type GuardOptions = {
  /** True lets requests reach private networks, for those whose receivers are there. Default false. */
  readonly allowPrivateNetwork?: boolean;
  /** How names are resolved. Default: as the machine does it. */
  readonly resolve?: Resolve;
};

// An idle connection is of use for the next delivery of a burst, and of none after it.
const keepAliveMs = 1_000;

/**
 * The one door for outgoing HTTP. It refuses whatever is not HTTP at a public address (checked on the address that the
 * socket connects to), follows no redirect, decompresses nothing, and gives up by time and by size.
 */
export function guardedFetch({ allowPrivateNetwork = false, resolve = resolveBySystem }: GuardOptions = {}): Outgoing {
  const agent = new Agent({
    keepAliveTimeout: keepAliveMs,
    keepAliveMaxTimeout: keepAliveMs,
    connect: allowPrivateNetwork ? {} : { lookup: guardedLookup(resolve) },
  });
  return async (url, options) => {
    const target = readTarget(url, allowPrivateNetwork);
    const deadline = AbortSignal.timeout(options.timeoutMs);
    const signal = options.signal === undefined ? deadline : AbortSignal.any([deadline, options.signal]);
    try {
      const { method = "GET", headers = {}, body = null } = options;
      const whole = { "accept-encoding": "identity", ...headers };
      const answer = await request(target, { dispatcher: agent, method, headers: whole, body, signal, ...patience });
      return { status: answer.statusCode, headers: plainHeaders(answer.headers), ...(await bodyOf(answer, options)) };
    } catch (error) {
      throw asOutgoingError(error, deadline, target.host);
    }
  };
}

/** The deadline is the one clock. */
const patience = { headersTimeout: 0, bodyTimeout: 0 };

/**
 * Reads an address. Whatever way an IP address is written (`0x7f.1`, `①②⑦.⓪.⓪.①`), the URL parser turns it into the one
 * that a socket would take; a socket looks none of these up, so they are checked here.
 */
function readTarget(text: string, allowPrivateNetwork: boolean): URL {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new OutgoingError("refused", "The address must begin with https:// or http://.");
  }
  if (url.username !== "" || url.password !== "") {
    throw new OutgoingError("refused", "The address must not hold a user name or a password.");
  }
  const literal = url.hostname.replace(/^\[(.*)\]$/, "$1");
  if (!allowPrivateNetwork && isIP(literal) !== 0 && !isPublicAddress(literal)) throw refusedAddress(url.hostname);
  return url;
}

async function bodyOf(
  { body }: Dispatcher.ResponseData,
  { maxBytes, onOversize = "fail" }: OutgoingRequest,
): Promise<Pick<OutgoingAnswer, "body" | "truncated">> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    size += chunk.byteLength;
    if (size <= maxBytes) continue;
    // Leaving the loop destroys the stream, and with it the connection.
    if (onOversize === "fail") throw new OutgoingError("too_large", `The answer has more than ${maxBytes} bytes.`);
    return { body: Buffer.concat(chunks).subarray(0, maxBytes), truncated: true };
  }
  return { body: Buffer.concat(chunks), truncated: false };
}

function plainHeaders(headers: Dispatcher.ResponseData["headers"]): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, [value].flat().join(", ")]],
    ),
  );
}

function asOutgoingError(error: unknown, deadline: AbortSignal, host: string): OutgoingError {
  if (error instanceof OutgoingError) return error;
  if (deadline.aborted) return new OutgoingError("timeout", `${host} did not answer in time.`, { cause: error });
  const cause = error instanceof Error ? error.message : String(error);
  return new OutgoingError("failed", `${host} could not be asked: ${cause}`, { cause: error });
}
