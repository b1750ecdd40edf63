import { createHash } from "node:crypto";

/**
 * Adds the checksum without which a bucket with Object Lock refuses what is stored: `Content-MD5`, which other stores know too, unlike
 * Amazon's newer checksums. A step of the SDK between the building of a request and its signature.
 */
export const addContentMd5 =
  <Args extends { readonly request: unknown }, Result>(next: (args: Args) => Promise<Result>) =>
  (args: Args): Promise<Result> => {
    const { request } = args;
    if (isUpload(request)) request.headers["content-md5"] = createHash("md5").update(request.body).digest("base64");
    return next(args);
  };

type UploadRequest = { readonly headers: Record<string, string>; readonly body: Uint8Array };

const isUpload = (request: unknown): request is UploadRequest =>
  typeof request === "object" &&
  request !== null &&
  "method" in request &&
  request.method === "PUT" &&
  "body" in request &&
  request.body instanceof Uint8Array;
