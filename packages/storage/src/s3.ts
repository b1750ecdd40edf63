import { connectOnce, iterate, type S3Options, upload } from "./s3-connection.ts";
import { type ByteRange, type FileStore, requireKey } from "./store.ts";

// An upload holds one part of this size in memory. S3 accepts no smaller parts.
const partBytes = 5 * 1024 * 1024;

/** Creates a store in a bucket. Loads the SDK, which is large, with the first file. */
export function s3Store(options: S3Options): FileStore {
  const { bucket: Bucket, prefix } = options;
  const keyOf = (key: string): string => (prefix ? `${prefix}/${requireKey(key)}` : requireKey(key));
  const connect = connectOnce(options);
  return {
    put: async (key, bytes, ContentType) => {
      await upload(await connect(), { Bucket, Key: keyOf(key), ContentType }, bytes, partBytes);
    },
    get: async (key, range) => {
      const { sdk, client } = await connect();
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
      const { sdk, client } = await connect();
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

const rangeHeader = ({ start, end }: ByteRange): string => `bytes=${start}-${end}`;
