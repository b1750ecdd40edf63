import { ServiceError } from "../errors.ts";
import { headBytes } from "./media-type.ts";

/** Bytes on their way: their beginning, and all of them, the beginning included. */
export type Opened = { readonly head: Uint8Array; readonly whole: AsyncIterable<Uint8Array>; readonly source: Source };

/** What is known of bytes on their way. */
export type Source = {
  /** How many have come. */
  readonly size: number;
  /** Why no more came, where that is not the fault of the store. */
  readonly failure: ServiceError | undefined;
};

/**
 * Takes the beginning of a body, so that it can be looked at before anything is stored. No more than `limit` bytes are
 * taken of it, and never more than a chunk is held.
 */
export async function openBytes(body: AsyncIterable<Uint8Array>, limit: number): Promise<Opened> {
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
        : new ServiceError("validation_error", "The bytes ended early.", { cause: error });
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

export function tooLarge(limit: number): ServiceError {
  return new ServiceError("payload_too_large", `More than the declared ${limit} bytes.`);
}
