import { invalid, ServiceError } from "../errors.ts";
import { type Owner, takeFetchPlace } from "./fetch-places.ts";

/** The limits of a request to an address that a user chose, and its headers. */
type FetchLimits = {
  /** For lookup, connection and answer together. */
  readonly timeoutMs: number;
  readonly maxBytes: number;
  /** For the body of an answer other than 200, which is truncated. */
  readonly maxOtherBytes: number;
  readonly headers: Readonly<Record<string, string>>;
};

type FetchAnswer = {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
};

/**
 * Sends GET to an address that a user chose, if it is public, and follows no redirect: the `Outgoing` of `@kb/outgoing`, which
 * `core` does not import. Throws its `OutgoingError`.
 */
export type FetchAddress = (url: string, limits: FetchLimits) => Promise<FetchAnswer>;

/** A file from another site. */
export type FetchedFile = {
  readonly bytes: Uint8Array;
  /** Its address after redirects. */
  readonly url: string;
};

type FetchOptions = {
  readonly actor: Owner;
  /** At most this many bytes. They are held in memory. */
  readonly maxBytes: number;
};

/** Time in milliseconds for a file, redirects included. */
const timeoutMs = 15_000;
const mostRedirects = 5;
/** Nobody reads the body of a redirect or an error. A short one is received, so that the connection can be used again. */
const maxOtherBytes = 16_384;

const headers = { accept: "image/*", "user-agent": "team-knowledge-base" };

/**
 * Fetches a file from an address that a user chose, and returns the result of `use`. Few files are fetched and used at once, so that
 * few are in memory; a call waits for its place. Each redirect is guarded as the address itself is.
 * @throws {ServiceError} `validation_error` with a `reason` in its details: `refused` for an address that is not public, `timeout`,
 * `failed`, `status` or `redirects`; `payload_too_large`; `rate_limited` if the wait for a place is too long
 */
export async function fetchFile<T>(
  send: FetchAddress,
  address: string,
  options: FetchOptions,
  use: (file: FetchedFile) => Promise<T>,
): Promise<T> {
  const endPlace = await takeFetchPlace(options.actor);
  try {
    return await use(await receive(send, address, options.maxBytes));
  } finally {
    endPlace();
  }
}

function requireUrl(address: string): string {
  const url = URL.parse(address);
  if (url === null) throw unfetched("refused", "Must be an address that begins with https:// or http://");
  return url.href;
}

async function receive(send: FetchAddress, address: string, maxBytes: number): Promise<FetchedFile> {
  const endsAt = performance.now() + timeoutMs;
  let url = requireUrl(address);
  for (let redirects = 0; redirects <= mostRedirects; redirects += 1) {
    const leftMs = Math.max(1, Math.ceil(endsAt - performance.now()));
    const answer = await send(url, { timeoutMs: leftMs, maxBytes, maxOtherBytes, headers }).catch((error: unknown) => {
      throw asFetchError(error, url, maxBytes);
    });
    if (answer.status === 200) return { bytes: answer.body, url };
    const { location } = answer.headers;
    const isRedirect = answer.status >= 300 && answer.status < 400 && location !== undefined;
    if (!isRedirect) throw unfetched("status", `Answers with status ${answer.status}`);
    url = requireUrl(URL.parse(location, url)?.href ?? location);
  }
  throw unfetched("redirects", `Answers with more than ${mostRedirects} redirects`);
}

/** An `OutgoingError`, as far as it is used here. */
type FetchError = Error & { readonly code: "refused" | "timeout" | "too_large" | "failed" };

const isFetchError = (error: unknown): error is FetchError => error instanceof Error && error.name === "OutgoingError";

function asFetchError(error: unknown, url: string, maxBytes: number): unknown {
  if (!isFetchError(error)) return error;
  if (error.code === "too_large") return tooLargeFile(maxBytes);
  // As for a name of a private network: the difference would reveal which names exist there.
  if (isUnknownName(error))
    return unfetched("refused", `${new URL(url).hostname} is not an address of the public Internet.`);
  return unfetched(error.code, error.message);
}

function isUnknownName({ cause }: FetchError): boolean {
  return cause instanceof Error && "code" in cause && (cause.code === "ENOTFOUND" || cause.code === "EAI_AGAIN");
}

/** Returns the error for a file that is too large to be fetched or sent inside a call. */
export function tooLargeFile(maxBytes: number): ServiceError {
  const message = `The file is larger than ${Math.floor(maxBytes / 1024 / 1024)} MB.`;
  return new ServiceError("payload_too_large", message, { details: [{ path: "file", message }] });
}

function unfetched(reason: FetchError["code"] | "status" | "redirects", message: string): ServiceError {
  const { message: whole } = invalid("url", message);
  return new ServiceError("validation_error", whole, { details: [{ path: "url", message, reason }] });
}
