import type { Actor } from "@kb/auth";
import { invalid, ServiceError } from "../errors.ts";

/** The limits of a request to an address that a user chose, and its headers. */
type FetchLimits = {
  /** For lookup, connection and answer together. */
  readonly timeoutMs: number;
  readonly maxBytes: number;
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
  readonly actor: Actor;
  /** At most this many bytes. They are held in memory. */
  readonly maxBytes: number;
};

/** Time in milliseconds for a file, redirects included. */
const timeoutMs = 15_000;
const mostRedirects = 5;
/** Files that are fetched at once, and those of one user, because each is held in memory and waits for another server. */
const mostAtOnce = 8;
const mostOfOne = 2;

const headers = { accept: "image/*", "user-agent": "team-knowledge-base" };

/** The users for whom a file is being fetched, once for each file. */
const fetching: string[] = [];

/**
 * Fetches a file from an address that a user chose. Each redirect is guarded as the address itself is.
 * @throws {ServiceError} `validation_error` with a `reason` in its details: `refused` for an address that is not public, `timeout`,
 * `failed`, `status` or `redirects`; `payload_too_large`; `rate_limited` while too many files are fetched
 */
export async function fetchFile(send: FetchAddress, address: string, options: FetchOptions): Promise<FetchedFile> {
  const { actor, maxBytes } = options;
  const endFetching = beginFetching(`${actor.teamId}:${actor.userId}`);
  try {
    const endsAt = performance.now() + timeoutMs;
    let url = requireUrl(address);
    for (let redirects = 0; redirects <= mostRedirects; redirects += 1) {
      const leftMs = Math.max(1, Math.ceil(endsAt - performance.now()));
      const answer = await send(url, { timeoutMs: leftMs, maxBytes, headers }).catch((error: unknown) => {
        throw asFetchError(error, maxBytes);
      });
      if (answer.status === 200) return { bytes: answer.body, url };
      const { location } = answer.headers;
      const isRedirect = answer.status >= 300 && answer.status < 400 && location !== undefined;
      if (!isRedirect) throw unfetched("status", `Answers with status ${answer.status}`);
      url = requireUrl(URL.parse(location, url)?.href ?? location);
    }
    throw unfetched("redirects", `Answers with more than ${mostRedirects} redirects`);
  } finally {
    endFetching();
  }
}

function requireUrl(address: string): string {
  const url = URL.parse(address);
  if (url === null) throw unfetched("refused", "Must be an address that begins with https:// or http://");
  return url.href;
}

/** @throws {ServiceError} `rate_limited` */
function beginFetching(owner: string): () => void {
  if (fetching.length >= mostAtOnce || fetching.filter((each) => each === owner).length >= mostOfOne) {
    const message = "Other files are being fetched at the moment. Wait until they are there, then try again.";
    throw new ServiceError("rate_limited", message, { retryAfterSeconds: 5 });
  }
  fetching.push(owner);
  return () => void fetching.splice(fetching.indexOf(owner), 1);
}

/** An `OutgoingError`, as far as it is used here. */
type FetchError = Error & { readonly code: "refused" | "timeout" | "too_large" | "failed" };

const isFetchError = (error: unknown): error is FetchError => error instanceof Error && error.name === "OutgoingError";

function asFetchError(error: unknown, maxBytes: number): unknown {
  if (!isFetchError(error)) return error;
  return error.code === "too_large" ? tooLargeFile(maxBytes) : unfetched(error.code, error.message);
}

/** Returns the error for a file that is not sent in an upload of its own. */
export function tooLargeFile(maxBytes: number): ServiceError {
  const message = `The file is larger than ${Math.floor(maxBytes / 1024 / 1024)} MB.`;
  return new ServiceError("payload_too_large", message, { details: [{ path: "file", message }] });
}

function unfetched(reason: FetchError["code"] | "status" | "redirects", message: string): ServiceError {
  const { message: whole } = invalid("url", message);
  return new ServiceError("validation_error", whole, { details: [{ path: "url", message, reason }] });
}
