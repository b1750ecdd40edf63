/** A place for backups in a bucket. */
export type BucketAddress = {
  readonly bucket: string;
  /** A part of the keys, or a whole one; no slash at either end. May be empty. */
  readonly path: string;
};

const form = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/((?:[A-Za-z0-9_.-]+\/)*[A-Za-z0-9_.-]*))?$/;

/** Parses an address such as `s3://bucket/prefix`; returns null for any other text. */
export function parseAddress(text: string): BucketAddress | null {
  const [, bucket, path = ""] = form.exec(text) ?? [];
  return bucket === undefined ? null : { bucket, path: path.replace(/\/$/, "") };
}

/** Returns the address as the user writes it. */
export const showAddress = ({ bucket, path }: BucketAddress): string =>
  path === "" ? `s3://${bucket}` : `s3://${bucket}/${path}`;

/** Returns the key of a name below the address. */
export const keyBelow = ({ path }: BucketAddress, name: string): string => (path === "" ? name : `${path}/${name}`);
