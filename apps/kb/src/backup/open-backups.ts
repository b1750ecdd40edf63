import { openBucket } from "@kb/storage";
import type { Settings } from "../env.ts";
import { CommandError } from "../failure.ts";
import { type BucketAddress, showAddress } from "./address.ts";

export type { Bucket } from "@kb/storage";

/** When requests of a bucket end: at a signal, and when the store is silent for this time. */
type Limits = { readonly signal?: AbortSignal; readonly silenceMs?: number };

/**
 * Opens the bucket of backups. The variables `BACKUP_S3_*` apply together: if none is set, backups go to the store of the attachments,
 * with its key.
 */
export function openBackups(
  { backups, storage }: Pick<Settings, "backups" | "storage">,
  { bucket }: BucketAddress,
  limits: Limits,
) {
  const own = {
    region: backups.BACKUP_S3_REGION,
    endpoint: backups.BACKUP_S3_ENDPOINT,
    id: backups.BACKUP_S3_ACCESS_KEY_ID,
    secret: backups.BACKUP_S3_SECRET_ACCESS_KEY,
  };
  const isOwn = Object.values(own).some((value) => value !== undefined);
  const { region, endpoint, id, secret } = isOwn
    ? own
    : {
        region: storage.S3_REGION,
        endpoint: storage.S3_ENDPOINT,
        id: storage.S3_ACCESS_KEY_ID,
        secret: storage.S3_SECRET_ACCESS_KEY,
      };
  return openBucket({
    ...limits,
    bucket,
    region: region ?? "us-east-1",
    endpoint,
    credentials: id === undefined || secret === undefined ? undefined : { accessKeyId: id, secretAccessKey: secret },
  });
}

/** Runs a request on a bucket; explains a refusal. `what` is what the request does, such as "list backups". */
export async function explained<T>(address: BucketAddress, what: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw isOfBucket(error) ? bucketError(address, what, error) : error;
  }
}

/** Returns the error of a command for a refusal of a bucket. */
export function bucketError(address: BucketAddress, what: string, error: unknown): CommandError {
  const reason =
    error instanceof Error ? [error.name, error.message].filter((part) => part !== "Error").join(": ") : error;
  const advice = "Check the name of the bucket, BACKUP_S3_* (or S3_*), and what the access key may do.";
  return new CommandError("bucket_failed", `${showAddress(address)} does not let kb ${what} (${reason}). ${advice}`, {
    cause: error,
  });
}

/** Codes of Node for a connection that failed. */
const lost = new Set(["ECONNREFUSED", "ECONNRESET", "ENOTFOUND", "EAI_AGAIN", "ETIMEDOUT", "EPIPE", "EHOSTUNREACH"]);

/** Returns whether an error is an answer of the bucket, or the lack of one. */
function isOfBucket(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ("$metadata" in error || error.name === "CredentialsProviderError" || error.name === "TimeoutError") return true;
  return "code" in error && lost.has(String(error.code));
}
