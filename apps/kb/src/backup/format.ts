import { z } from "zod";

/** The first entry of a backup: its source and its contents. */
export const Begin = z.object({
  format: z.literal("kb-backup"),
  formatVersion: z.literal(1),
  /** Version of the service that wrote it. */
  version: z.string(),
  createdAt: z.iso.datetime(),
  migrations: z.array(z.object({ name: z.string(), checksum: z.string() })),
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()) })),
  /** Number of attachments, for the progress display. */
  files: z.number(),
});
export type Begin = z.output<typeof Begin>;

/** The last entry: the totals. Without it a backup is incomplete. */
export const End = z.object({
  entries: z.number(),
  /** SHA-256 over the names and checksums of all previous entries, which proves that none is lost, added or moved. */
  sha256: z.string(),
  rows: z.record(z.string(), z.number()),
  files: z.number(),
  fileBytes: z.number(),
  /** Attachments whose bytes were missing in the store. */
  missing: z.array(z.string()),
});
export type End = z.output<typeof End>;

export const beginName = "backup.json";
export const endName = "end.json";
export const tableFolder = (name: string): string => `tables/${name}/`;
export const fileFolder = (key: string): string => `files/${key}/`;

/**
 * Returns the key of the attachment of a piece: team, attachment and attempt. Refuses a shorter one, which would be a folder
 * of other attachments: a restore that fails removes the keys that it stored.
 */
export const fileKey = (name: string): string | undefined =>
  /^files\/((?:[A-Za-z0-9_-]+\/){2}[A-Za-z0-9_-]+)\/\d{8}$/.exec(name)?.[1];

/** Returns the last part of a piece's name: its number in the folder. */
export const pieceName = (number: number): string => String(number).padStart(8, "0");

/** Maximum size of an entry, which is held in memory so that its checksum is verified before use. */
export const pieceBytes = 4 * 1024 * 1024;

/** One entry of the archive. */
export type Entry = {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** The media type of an attachment. */
  readonly type?: string | undefined;
};

/** A file that is not a backup, or is damaged; the message says which. */
export class BackupFileError extends Error {
  override readonly name = "BackupFileError";
  /** Whether it is certainly a backup, which the given keys do not open or which is damaged behind them. */
  readonly isEncrypted: boolean;

  constructor(message: string, options: ErrorOptions & { readonly isEncrypted?: boolean } = {}) {
    super(message, options);
    this.isEncrypted = options.isEncrypted === true;
  }
}
