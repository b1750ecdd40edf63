import { openFiles } from "@kb/storage";
import type { Settings } from "../env.ts";
import { type Finding, fail, ok, reason } from "./finding.ts";

/** Those of `s3Store`; S3 says that a file is missing only to keys that may list the bucket. */
const permissions = "GetObject, PutObject, DeleteObject, AbortMultipartUpload and ListBucket";

/** Stores, reads and removes a small file in the bucket, if one is set. */
export async function filesFinding({ storage, dataDir }: Settings): Promise<Finding> {
  const { S3_BUCKET: bucket, S3_ENDPOINT: endpoint } = storage;
  if (bucket === undefined) return ok("attachments", "in the data folder");
  const place = endpoint === undefined ? bucket : `${bucket} at ${new URL(endpoint).host}`;
  try {
    await openFiles(storage, dataDir).store.check();
    return ok("attachments", `${place} stores, returns and removes a file`);
  } catch (error) {
    const advice = `correct S3_BUCKET, S3_ENDPOINT, S3_REGION and the access key, which needs the permissions ${permissions}.`;
    return fail("attachments", `${place} does not work (${reason(error)}): ${advice}`);
  }
}
