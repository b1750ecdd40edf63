import { ServiceError } from "../errors.ts";
import { headBytes } from "./media-type.ts";

/** A body of bytes that is being read: its first bytes, and the whole including them. */
export type OpenedBytes = {
  readonly head: Uint8Array;
  readonly whole: AsyncIterable<Uint8Array>;
  readonly source: ReadProgress;
};

/** The progress of a body that is being read. */
export type ReadProgress = {
  /** The number of bytes received. */
  readonly size: number;
  /** The reason why the body ended early, unless the store failed. */
  readonly failure: ServiceError | undefined;
};

/**
 * Reads the first bytes of a body so that they can be checked before anything is stored. Reads at most `limit` bytes in
 * total and holds at most one chunk.
 */
export async function openBytes(body: AsyncIterable<Uint8Array>, limit: number): Promise<OpenedBytes> {
  const source: { size: number; failure: ServiceError | undefined } = { size: 0, failure: undefined };
  const chunks = measured(body, limit, source);
  const first: Uint8Array[] = [];
  let length = 0;
  while (length < headBytes) {
    const { done, value } = await chunks.next();
    if (done) break;
    first.push(value);
    length += value.byteLength;
  }
  return { head: Buffer.concat(first).subarray(0, headBytes), whole: rejoined(first, chunks), source };
}

async function* measured(
  body: AsyncIterable<Uint8Array>,
  limit: number,
  source: { size: number; failure: ServiceError | undefined },
): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of body) {
      source.size += chunk.byteLength;
      if (source.size > limit) throw tooLarge(limit);
      yield chunk;
    }
  } catch (error) {
    source.failure =
      error instanceof ServiceError
        ? error
        : new ServiceError("validation_error", "The body ended early.", { cause: error });
    throw source.failure;
  }
}

async function* rejoined(first: readonly Uint8Array[], rest: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* first;
    yield* rest;
  } finally {
    await rest.return(undefined);
  }
}

/** Returns the error for more bytes than declared. */
export function tooLarge(limit: number): ServiceError {
  return new ServiceError("payload_too_large", `The body exceeds the declared ${limit} bytes.`);
}
