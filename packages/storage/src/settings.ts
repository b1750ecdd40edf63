import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { z } from "zod";
import { cachedCheck, type OnCheckChange } from "./cached-check.ts";
import { folderStore } from "./folder.ts";
import { s3Store } from "./s3.ts";
import type { FileStore } from "./store.ts";
import { type WatchedStore, watchSpace } from "./watch-space.ts";

const defaultMaxBytes = 25 * 1024 * 1024;
const defaultMaxImportBytes = 512 * 1024 * 1024;
const whole = "must be a whole number of bytes, such as 26214400 for 25 MB";

/** The variables that say where attachments are stored and how large they may be. */
export const StorageVariables = {
  ATTACHMENT_MAX_BYTES: z
    .string()
    .regex(/^[1-9]\d{0,11}$/, whole)
    .transform(Number)
    .default(defaultMaxBytes),
  IMPORT_MAX_BYTES: z
    .string()
    .regex(/^[1-9]\d{0,11}$/, whole)
    .transform(Number)
    .default(defaultMaxImportBytes),
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

/** Returns the settings in an environment, without anything else of it. */
export const storageSettingsOf = (env: StorageSettings): StorageSettings => ({
  ATTACHMENT_MAX_BYTES: env.ATTACHMENT_MAX_BYTES,
  IMPORT_MAX_BYTES: env.IMPORT_MAX_BYTES,
  S3_BUCKET: env.S3_BUCKET,
  S3_REGION: env.S3_REGION,
  S3_ENDPOINT: env.S3_ENDPOINT,
  S3_ACCESS_KEY_ID: env.S3_ACCESS_KEY_ID,
  S3_SECRET_ACCESS_KEY: env.S3_SECRET_ACCESS_KEY,
  S3_PREFIX: env.S3_PREFIX,
});

/** Refines the schema of an environment: the key and its secret are set together. */
export function requireKeyPair(
  { S3_ACCESS_KEY_ID: id, S3_SECRET_ACCESS_KEY: secret }: Partial<StorageSettings>,
  context: z.RefinementCtx,
): void {
  const missing = id === undefined ? "S3_ACCESS_KEY_ID" : "S3_SECRET_ACCESS_KEY";
  if ((id === undefined) === (secret === undefined)) return;
  context.addIssue({ code: "custom", path: [missing], message: "must be set too: the key and its secret go together" });
}

/**
 * Opens the store of the settings: the bucket `S3_BUCKET` if it is set, else a folder in the data folder. `maxBytes` is the
 * maximum size of one attachment, `maxImportBytes` that of a file to import. `onChange` is called when checks of the bucket begin to
 * fail, and when they succeed again.
 */
export function openFiles(
  settings: StorageSettings,
  dataDir: string,
  onChange?: OnCheckChange,
): { store: WatchedStore; maxBytes: number; maxImportBytes: number } {
  const { ATTACHMENT_MAX_BYTES: maxBytes, IMPORT_MAX_BYTES: maxImportBytes } = settings;
  const opened = openStore(settings, dataDir);
  const watched = watchSpace(opened);
  if (settings.S3_BUCKET === undefined) return { store: watched, maxBytes, maxImportBytes };
  const isWorking = cachedCheck(() => readMissingFile(opened), onChange);
  return { store: { ...watched, isWorking }, maxBytes, maxImportBytes };
}

/**
 * Reads a file that does not exist, which changes nothing. S3 says that it is missing only to those who may list the bucket, as removing
 * needs too; it refuses others.
 */
async function readMissingFile(store: FileStore): Promise<void> {
  const found = await store.get(`store-check/${randomUUID()}`);
  if (found === null) return;
  for await (const _ of found) break;
  throw new Error("the store returns a file that was never stored");
}

function openStore(settings: StorageSettings, dataDir: string): FileStore {
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
