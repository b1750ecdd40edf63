import { join } from "node:path";
import { z } from "zod";
import { folderStore } from "./folder.ts";
import { s3Store } from "./s3.ts";
import type { FileStore } from "./store.ts";

/** The most bytes that one attachment may have, unless `ATTACHMENT_MAX_BYTES` says otherwise: 25 MB. */
export const defaultMaxBytes = 25 * 1024 * 1024;

/** The variables of the environment that say where attachments are; an `env.ts` names each that it reads. */
export const StorageVariables = {
  S3_BUCKET: z.string().optional(),
  S3_REGION: z.string().default("us-east-1"),
  S3_ENDPOINT: z.url({ protocol: /^https?$/, error: "must be an address such as https://s3.example.com" }).optional(),
  S3_ACCESS_KEY_ID: z.string().optional(),
  S3_SECRET_ACCESS_KEY: z.string().optional(),
  S3_PREFIX: z
    .string()
    .regex(/^[A-Za-z0-9_-]+(?:\/[A-Za-z0-9_-]+)*$/, "must be parts of letters, digits, - and _ between slashes")
    .optional(),
};

export type StorageSettings = z.output<z.ZodObject<typeof StorageVariables>>;

/** The store that the settings name: the bucket where `S3_BUCKET` is set, else a folder below the data folder. */
export function openStore(settings: StorageSettings, dataDir: string): FileStore {
  const { S3_BUCKET: bucket, S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = settings;
  if (bucket === undefined) return folderStore(join(dataDir, "files"));
  return s3Store({
    bucket,
    region: settings.S3_REGION,
    endpoint: settings.S3_ENDPOINT,
    prefix: settings.S3_PREFIX,
    ...(accessKeyId === undefined || secretAccessKey === undefined
      ? {}
      : { credentials: { accessKeyId, secretAccessKey } }),
  });
}
