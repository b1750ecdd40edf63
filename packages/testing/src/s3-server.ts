import { startFauxqs } from "fauxqs";

/** A server of S3 in this process, which keeps its objects in memory. */
export type S3Server = {
  readonly url: string;
  /** Returns the keys of a bucket, at most a thousand. */
  keys(bucket: string): Promise<string[]>;
  close(): Promise<void>;
};

/** Starts a server of S3 with these buckets on a free loopback port. It accepts any signature. */
export async function startS3Server(buckets: readonly string[]): Promise<S3Server> {
  const init = { buckets: [...buckets] };
  const server = await startFauxqs({ port: 0, host: "127.0.0.1", logger: false, init });
  const url = `http://127.0.0.1:${server.port}`;
  return {
    url,
    keys: async (bucket) => {
      const response = await fetch(`${url}/${bucket}?list-type=2`);
      const listing = await response.text();
      if (!response.ok) throw new Error(`The bucket ${bucket} could not be listed: ${listing}`);
      return [...listing.matchAll(/<Key>([^<]*)<\/Key>/g)].map(([, key = ""]) => key);
    },
    close: () => server.stop(),
  };
}
