import { Readable } from "node:stream";
import type { S3Client } from "@aws-sdk/client-s3";
import { type ByteRange, type FileStore, requireKey } from "./store.ts";

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
};

// An upload holds one part of this size in memory. S3 accepts no smaller parts.
const partBytes = 5 * 1024 * 1024;

type Sdk = typeof import("@aws-sdk/client-s3") & Pick<typeof import("@aws-sdk/lib-storage"), "Upload">;
type Connection = { readonly sdk: Sdk; readonly client: S3Client };

/** Creates a store in a bucket. Loads the SDK, which is large, with the first file. */
export function s3Store(options: S3Options): FileStore {
  const { bucket: Bucket, prefix } = options;
  const keyOf = (key: string): string => (prefix ? `${prefix}/${requireKey(key)}` : requireKey(key));
  let connection: Promise<Connection> | undefined;
  const connectOnce = (): Promise<Connection> => {
    connection ??= connect(options);
    return connection;
  };
  return {
    put: async (key, bytes, ContentType) => {
      const { sdk, client } = await connectOnce();
      const source = rememberFailure(bytes);
      const params = { Bucket, Key: keyOf(key), Body: Readable.from(source.bytes, { objectMode: false }), ContentType };
      try {
        // A failure removes the parts that were uploaded already.
        await new sdk.Upload({ client, params, partSize: partBytes, queueSize: 1, leavePartsOnError: false }).done();
      } catch (error) {
        throw source.failure() ?? error;
      }
    },
    get: async (key, range) => {
      const { sdk, client } = await connectOnce();
      try {
        const object = await client.send(
          new sdk.GetObjectCommand({
            Bucket,
            Key: keyOf(key),
            ...(range === undefined ? {} : { Range: rangeHeader(range) }),
          }),
        );
        return object.Body === undefined ? null : iterate(object.Body.transformToWebStream());
      } catch (error) {
        if (error instanceof sdk.NoSuchKey) return null;
        throw error;
      }
    },
    removeBelow: async (prefixOfKeys) => {
      const { sdk, client } = await connectOnce();
      const remove = (Key: string) => client.send(new sdk.DeleteObjectCommand({ Bucket, Key }));
      await remove(keyOf(prefixOfKeys));
      for (;;) {
        const page = await client.send(new sdk.ListObjectsV2Command({ Bucket, Prefix: `${keyOf(prefixOfKeys)}/` }));
        for (const { Key } of page.Contents ?? []) if (Key !== undefined) await remove(Key);
        if (page.IsTruncated !== true) return;
      }
    },
  };
}

async function connect({ region, endpoint, credentials }: S3Options): Promise<Connection> {
  const [s3, { Upload }] = await Promise.all([import("@aws-sdk/client-s3"), import("@aws-sdk/lib-storage")]);
  const client = new s3.S3Client({
    region,
    ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
    ...(credentials === undefined ? {} : { credentials }),
    // Other stores refuse Amazon's additional checksums.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    maxAttempts: 3,
  });
  return { sdk: { ...s3, Upload }, client };
}

const rangeHeader = ({ start, end }: ByteRange): string => `bytes=${start}-${end}`;

/** Remembers why a source failed: the cleanup after it may fail too, and would hide the reason. */
function rememberFailure(bytes: AsyncIterable<Uint8Array>) {
  let failure: unknown;
  async function* passThrough(): AsyncGenerator<Uint8Array> {
    try {
      yield* bytes;
    } catch (error) {
      failure = error;
      throw error;
    }
  }
  return { bytes: passThrough(), failure: () => failure };
}

/** Iterates over a web stream; ending early cancels the request. */
async function* iterate(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
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
