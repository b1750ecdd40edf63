import { Readable } from "node:stream";
import type { S3Client } from "@aws-sdk/client-s3";
import { type ByteRange, type FileStore, requireKey } from "./store.ts";

/** How to reach an S3-compatible store. */
export type S3Options = {
  readonly bucket: string;
  readonly region: string;
  /** Where it is; absent for Amazon's own. */
  readonly endpoint?: string | undefined;
  /** Absent: as the SDK finds them (instance role, profile). */
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string } | undefined;
  /** Put before every key, without slashes at its ends. */
  readonly prefix?: string | undefined;
};

// One part of this size at a time is all that an upload holds in memory; S3 takes no smaller ones.
const partBytes = 5 * 1024 * 1024;

type Sdk = typeof import("@aws-sdk/client-s3") & Pick<typeof import("@aws-sdk/lib-storage"), "Upload">;
type Connection = { readonly sdk: Sdk; readonly client: S3Client };

/** A store in a bucket. The SDK, which is large, is loaded when the first file comes. */
export function s3Store(options: S3Options): FileStore {
  const { bucket: Bucket, prefix } = options;
  const keyOf = (key: string): string => (prefix ? `${prefix}/${requireKey(key)}` : requireKey(key));
  let connection: Promise<Connection> | undefined;
  const connected = (): Promise<Connection> => {
    connection ??= connect(options);
    return connection;
  };
  return {
    put: async (key, bytes, ContentType) => {
      const { sdk, client } = await connected();
      const source = watched(bytes);
      const params = { Bucket, Key: keyOf(key), Body: Readable.from(source.bytes, { objectMode: false }), ContentType };
      try {
        // A failure takes back the parts that are there already.
        await new sdk.Upload({ client, params, partSize: partBytes, queueSize: 1, leavePartsOnError: false }).done();
      } catch (error) {
        throw source.failure() ?? error;
      }
    },
    get: async (key, range) => {
      const { sdk, client } = await connected();
      try {
        const object = await client.send(
          new sdk.GetObjectCommand({
            Bucket,
            Key: keyOf(key),
            ...(range === undefined ? {} : { Range: header(range) }),
          }),
        );
        return object.Body === undefined ? null : iterableOf(object.Body.transformToWebStream());
      } catch (error) {
        if (error instanceof sdk.NoSuchKey) return null;
        throw error;
      }
    },
    removeBelow: async (prefixOfKeys) => {
      const { sdk, client } = await connected();
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
    // Checksums beyond the protocol's own are Amazon's: other stores refuse them.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    maxAttempts: 3,
  });
  return { sdk: { ...s3, Upload }, client };
}

const header = ({ start, end }: ByteRange): string => `bytes=${start}-${end}`;

/** Bytes that remember why no more of them came: taking back what is there may fail too, and hide the reason. */
function watched(bytes: AsyncIterable<Uint8Array>) {
  let failure: unknown;
  async function* watching(): AsyncGenerator<Uint8Array> {
    try {
      yield* bytes;
    } catch (error) {
      failure = error;
      throw error;
    }
  }
  return { bytes: watching(), failure: () => failure };
}

/** A web stream as what can be iterated; ending early cancels the request. */
async function* iterableOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
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
