import { z } from "zod";

/** The first entry of a backup: what it is of, and what comes. */
export const Begin = z.object({
  format: z.literal("kb-backup"),
  formatVersion: z.literal(1),
  /** Of the service that made it. */
  version: z.string(),
  createdAt: z.iso.datetime(),
  migrations: z.array(z.object({ name: z.string(), checksum: z.string() })),
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()) })),
  /** How many attachments follow; for the progress alone. */
  files: z.number(),
});
export type Begin = z.output<typeof Begin>;

/** The last entry: what came. Without it a backup is not whole. */
export const End = z.object({
  entries: z.number(),
  /** SHA-256 over the names and checksums of all entries before, in their order: none is lost, added or moved. */
  sha256: z.string(),
  rows: z.record(z.string(), z.number()),
  files: z.number(),
  fileBytes: z.number(),
  /** Attachments whose bytes were not in the store. */
  missing: z.array(z.string()),
});
export type End = z.output<typeof End>;

export const beginName = "backup.json";
export const endName = "end.json";
export const tableFolder = (name: string): string => `tables/${name}/`;
export const fileFolder = (key: string): string => `files/${key}/`;

/**
 * The key of the attachment whose piece has this name: team, attachment and attempt. A shorter one would be the folder of
 * others, which go with it when a restore takes back what it stored.
 */
export const fileKey = (name: string): string | undefined =>
  /^files\/((?:[A-Za-z0-9_-]+\/){2}[A-Za-z0-9_-]+)\/\d{8}$/.exec(name)?.[1];

/** The number of a piece within its folder, as its name ends. */
export const pieceName = (number: number): string => String(number).padStart(8, "0");

/** No entry is larger: it is held whole, so that its checksum is known before it is used. */
export const pieceBytes = 4 * 1024 * 1024;

/** One entry of the archive. */
export type Entry = {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** The media type of an attachment. */
  readonly type?: string | undefined;
};

/** A file that is no backup, or one that is not as it was written; the message says which. */
export class BackupFileError extends Error {
  override readonly name = "BackupFileError";
}
