import type { ListObjectsV2CommandOutput } from "@aws-sdk/client-s3";
import { connectOnce, iterate, type S3Options, upload } from "./s3-connection.ts";

/** A file in a bucket. */
export type BucketFile = { readonly key: string; readonly bytes: number };

/** A bucket whose files have names of the caller, such as one for backups. */
export type Bucket = {
  /**
   * Stores a stream completely or not at all. Parts are of at least 8 MB, and large enough for a file that has twice the
   * expected size, because S3 stores at most 10,000 of them.
   */
  put(key: string, bytes: AsyncIterable<Uint8Array>, expectedBytes: number): Promise<void>;
  /** Returns the bytes of a file; null if it is missing. Ending the iteration early closes the source. */
  get(key: string): Promise<AsyncIterable<Uint8Array> | null>;
  /** Returns the files whose keys begin with a prefix, in the order of their keys. */
  list(prefix: string): Promise<BucketFile[]>;
  /** Removes a file, if it exists. */
  remove(key: string): Promise<void>;
  /** Removes the parts of uploads below a prefix, of keys that `isOurs` accepts, that were never completed; returns their number. */
  abandonUploads(prefix: string, isOurs: (key: string) => boolean): Promise<number>;
};

const smallestPartBytes = 8 * 1024 * 1024;
const mostParts = 10_000;

/** Opens a bucket; `prefix` of the options does not apply. Its `signal` ends requests, and removes the parts of a running upload. */
export function openBucket(options: S3Options): Bucket {
  const { bucket: Bucket } = options;
  const connect = connectOnce(options);
  return {
    put: async (Key, bytes, expectedBytes) => {
      const partBytes = Math.max(smallestPartBytes, Math.ceil((2 * expectedBytes) / mostParts));
      await upload(await connect(), { Bucket, Key, ContentType: "application/octet-stream" }, bytes, partBytes);
    },
    get: async (Key) => {
      const { sdk, client } = await connect();
      try {
        const { Body } = await client.send(new sdk.GetObjectCommand({ Bucket, Key }));
        return Body === undefined ? null : iterate(Body.transformToWebStream());
      } catch (error) {
        if (error instanceof sdk.NoSuchKey) return null;
        throw error;
      }
    },
    list: async (Prefix) => {
      const { sdk, client } = await connect();
      const files: BucketFile[] = [];
      let page: ListObjectsV2CommandOutput | undefined;
      do {
        const ContinuationToken = page?.NextContinuationToken;
        page = await client.send(new sdk.ListObjectsV2Command({ Bucket, Prefix, ContinuationToken }));
        for (const { Key, Size } of page.Contents ?? [])
          if (Key !== undefined) files.push({ key: Key, bytes: Size ?? 0 });
      } while (page.NextContinuationToken !== undefined);
      return files.sort((a, b) => (a.key < b.key ? -1 : 1));
    },
    remove: async (Key) => {
      const { sdk, client } = await connect();
      await client.send(new sdk.DeleteObjectCommand({ Bucket, Key }));
    },
    abandonUploads: async (Prefix, isOurs) => {
      const { sdk, client } = await connect();
      const { Uploads = [] } = await client.send(new sdk.ListMultipartUploadsCommand({ Bucket, Prefix }));
      const ours = Uploads.filter(({ Key }) => Key !== undefined && isOurs(Key));
      for (const { Key, UploadId } of ours) {
        await client.send(new sdk.AbortMultipartUploadCommand({ Bucket, Key, UploadId }));
      }
      return ours.length;
    },
  };
}
