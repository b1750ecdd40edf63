import { wholeNumber } from "@kb/runtime";
import { z } from "zod";
import { parseAddress } from "./address.ts";

const Recipient = z
  .string()
  // A private key must not reach a server or a log.
  .refine(
    (key) => !key.startsWith("AGE-SECRET-KEY-"),
    "contains a private key: set the public one, which begins with age1",
  )
  .refine((key) => /^age1[a-z0-9]+$/.test(key), "must be public keys of age between commas, each beginning with age1");

/** The variables that say where `kb backup` stores backups if no option does, for whom it encrypts them, and how many it keeps. */
export const BackupVariables = {
  BACKUP_TO: z
    .string()
    .refine((text) => parseAddress(text) !== null, "must be an address such as s3://bucket/prefix")
    .optional(),
  BACKUP_KEEP: wholeNumber(1, 10_000).optional(),
  BACKUP_RECIPIENTS: z
    .string()
    .transform((text) => text.split(",").map((key) => key.trim()))
    .pipe(z.array(Recipient))
    .default([]),
  BACKUP_S3_REGION: z.string().optional(),
  BACKUP_S3_ENDPOINT: z
    .url({ protocol: /^https?$/, error: "must be an address such as https://s3.example.com" })
    .optional(),
  BACKUP_S3_ACCESS_KEY_ID: z.string().optional(),
  BACKUP_S3_SECRET_ACCESS_KEY: z.string().optional(),
};

export type BackupSettings = z.output<z.ZodObject<typeof BackupVariables>>;

/** Refines the schema of an environment: the key of the bucket and its secret are set together. */
export function requireBackupKeyPair(
  { BACKUP_S3_ACCESS_KEY_ID: id, BACKUP_S3_SECRET_ACCESS_KEY: secret }: Partial<BackupSettings>,
  context: z.RefinementCtx,
): void {
  if ((id === undefined) === (secret === undefined)) return;
  const missing = id === undefined ? "BACKUP_S3_ACCESS_KEY_ID" : "BACKUP_S3_SECRET_ACCESS_KEY";
  context.addIssue({ code: "custom", path: [missing], message: "must be set too: the key and its secret go together" });
}
