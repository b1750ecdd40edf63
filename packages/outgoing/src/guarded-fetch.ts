import { isIP } from "node:net";
import type { Dispatcher } from "undici";
import { guardedLookup, type Resolve, refusedAddress, resolveBySystem } from "./guarded-lookup.ts";
import { OutgoingError } from "./outgoing-error.ts";
import { isPublicAddress } from "./public-address.ts";

/** The request to send and the limits of its answer. */
export type OutgoingRequest = {
  /** Default `GET`. */
  readonly method?: "GET" | "POST" | "PUT" | "HEAD";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Limit in milliseconds for lookup, connection and answer together. */
  readonly timeoutMs: number;
  /** Maximum size of the answer's body. */
  readonly maxBytes: number;
  /** Maximum size of the body of an answer other than 200. A longer one is truncated. Default: as for 200. */
  readonly maxOtherBytes?: number;
  /** Whether a longer body is truncated or an error. Default `fail`. */
  readonly onOversize?: "truncate" | "fail";
  readonly signal?: AbortSignal;
};

/** The answer, whatever its status. Redirects are answers too and are not followed. */
export type OutgoingAnswer = {
  readonly status: number;
  /** By lower-case name; several values of one name are joined by commas. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  readonly truncated: boolean;
};

/** Sends one request to an address that a user chose. @throws {OutgoingError} */
export type Outgoing = (url: string, request: OutgoingRequest) => Promise<OutgoingAnswer>;

export type GuardOptions = {
  /** Allows requests to private networks, for receivers inside them. Default false. */
  readonly allowPrivateNetwork?: boolean;
  /** Resolves names. Default: as the machine does. */
  readonly resolve?: Resolve;
};

// An idle connection serves the next delivery of a burst and is useless after it.
const keepAliveMs = 1_000;

/**
 * Returns the only function that sends HTTP to addresses chosen by users. It refuses everything but HTTP to a public
 * address (checked on the address that the socket connects to), follows no redirect, decompresses nothing, and limits
 * time and size.
 */
export function guardedFetch({ allowPrivateNetwork = false, resolve = resolveBySystem }: GuardOptions = {}): Outgoing {
  let loading: ReturnType<typeof openClient> | undefined;
  return async (url, options) => {
    const target = requireAllowedTarget(url, allowPrivateNetwork);
    const deadline = AbortSignal.timeout(options.timeoutMs);
    const signal = options.signal === undefined ? deadline : AbortSignal.any([deadline, options.signal]);
    try {
      const { method = "GET", headers = {}, body = null } = options;
      loading ??= openClient(allowPrivateNetwork ? {} : { lookup: guardedLookup(resolve) });
      const { request, agent } = await loading;
      const answer = await request(target, {
        dispatcher: agent,
        method,
        headers: { "accept-encoding": "identity", ...headers },
        body,
        signal,
        // The deadline is the only timeout.
        headersTimeout: 0,
        bodyTimeout: 0,
      });
      return {
        status: answer.statusCode,
        headers: joinHeaders(answer.headers),
        ...(await readBody(answer, limitsFor(answer.statusCode, options))),
      };
    } catch (error) {
      throw toOutgoingError(error, deadline, target.host);
    }
  };
}

/** Loads the client with the first request: it has some megabytes, and many installations send none. */
async function openClient(connect: { readonly lookup?: ReturnType<typeof guardedLookup> }) {
  const { Agent, request } = await import("undici");
  const agent = new Agent({ keepAliveTimeout: keepAliveMs, keepAliveMaxTimeout: keepAliveMs, connect });
  return { request, agent };
}

/**
 * Parses and checks an address. The URL parser normalizes every spelling of an IP address (`0x7f.1`, `①②⑦.⓪.⓪.①`). A
 * socket connects to an IP address without a lookup, so it is checked here.
 */
function requireAllowedTarget(text: string, allowPrivateNetwork: boolean): URL {
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

type BodyLimits = Required<Pick<OutgoingRequest, "maxBytes" | "onOversize">>;

function limitsFor(status: number, { maxBytes, maxOtherBytes, onOversize = "fail" }: OutgoingRequest): BodyLimits {
  if (status === 200 || maxOtherBytes === undefined) return { maxBytes, onOversize };
  return { maxBytes: maxOtherBytes, onOversize: "truncate" };
}

async function readBody(
  { body }: Dispatcher.ResponseData,
  { maxBytes, onOversize }: BodyLimits,
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

function joinHeaders(headers: Dispatcher.ResponseData["headers"]): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, [value].flat().join(", ")]],
    ),
  );
}

function toOutgoingError(error: unknown, deadline: AbortSignal, host: string): OutgoingError {
  if (error instanceof OutgoingError) return error;
  if (deadline.aborted) return new OutgoingError("timeout", `${host} did not answer in time.`, { cause: error });
  const cause = error instanceof Error ? error.message : String(error);
  return new OutgoingError("failed", `${host} could not be reached: ${cause}`, { cause: error });
}
