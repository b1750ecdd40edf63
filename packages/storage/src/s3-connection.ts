import { Readable } from "node:stream";
import type { S3Client } from "@aws-sdk/client-s3";

/** Location and credentials of an S3-compatible store. */
export type S3Options = {
  readonly bucket: string;
  readonly region: string;
  /** Address of the server; absent for Amazon's own. */
  readonly endpoint?: string | undefined;
  /** Absent: those that the SDK finds (instance role, profile). */
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string } | undefined;
  /** Precedes every key; no slash at either end. */
  readonly prefix?: string | undefined;
  /** Ends every request but those that remove what was begun. */
  readonly signal?: AbortSignal | undefined;
  /** How long the store may be silent before a request fails; default 20 s. */
  readonly silenceMs?: number | undefined;
};

type Sdk = typeof import("@aws-sdk/client-s3") & Pick<typeof import("@aws-sdk/lib-storage"), "Upload">;
type Connection = { readonly sdk: Sdk; readonly client: S3Client };

/** Returns a function that connects at its first call: the SDK is large, and is loaded with the first file. */
export function connectOnce(options: S3Options): () => Promise<Connection> {
  let connection: Promise<Connection> | undefined;
  return () => {
    connection ??= connect(options);
    return connection;
  };
}

async function connect({ region, endpoint, credentials, signal, silenceMs }: S3Options): Promise<Connection> {
  const [s3, { Upload }, { addContentMd5 }, { LimitedHandler }] = await Promise.all([
    import("@aws-sdk/client-s3"),
    import("@aws-sdk/lib-storage"),
    import("./content-md5.ts"),
    import("./s3-limits.ts"),
  ]);
  const client = new s3.S3Client({
    region,
    ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
    ...(credentials === undefined ? {} : { credentials }),
    // Other stores refuse Amazon's additional checksums.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    maxAttempts: 3,
    requestHandler: new LimitedHandler({ signal, silenceMs }),
  });
  client.middlewareStack.add(addContentMd5, { step: "build", name: "contentMd5" });
  return { sdk: { ...s3, Upload }, client };
}

type Target = { readonly Bucket: string; readonly Key: string; readonly ContentType: string };

/**
 * Stores a stream completely or not at all: an object appears only when its last part has arrived, and a failure removes the
 * parts before it. Holds one part of `partBytes` in memory.
 */
export async function upload(
  { sdk, client }: Connection,
  target: Target,
  bytes: AsyncIterable<Uint8Array>,
  partBytes: number,
): Promise<void> {
  const source = rememberFailure(bytes);
  const params = { ...target, Body: Readable.from(source.bytes, { objectMode: false }) };
  try {
    await new sdk.Upload({ client, params, partSize: partBytes, queueSize: 1, leavePartsOnError: false }).done();
  } catch (error) {
    throw source.failure() ?? error;
  }
}

/**
 * Remembers why a source failed: the cleanup after it may fail too, and would hide the reason. A reader that ends early, such as an
 * upload that was refused, is no failure of the source.
 */
export function rememberFailure(bytes: AsyncIterable<Uint8Array>) {
  let failure: unknown;
  async function* passThrough(): AsyncGenerator<Uint8Array> {
    const source = bytes[Symbol.asyncIterator]();
    try {
      for (;;) {
        const { done, value } = await source.next().catch((error: unknown) => {
          failure = error;
          throw error;
        });
        if (done === true) return;
        yield value;
      }
    } finally {
      await source.return?.();
    }
  }
  return { bytes: passThrough(), failure: () => failure };
}

/** Iterates over a web stream; ending early cancels the request. */
export async function* iterate(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}
