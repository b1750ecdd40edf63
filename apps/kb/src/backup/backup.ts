import { pipeline, Readable } from "node:stream";
import { createGzip } from "node:zlib";
import { type Snapshot, whileBackingUp, withSnapshot } from "@kb/db";
import type { FileStore } from "@kb/storage";
import { type Progress, showProgress } from "../progress.ts";
import { version } from "../version.ts";
import { encrypt } from "./encryption.ts";
import { type Begin, beginName, type End, type Entry, endName, fileFolder, tableFolder } from "./format.ts";
import { Chain, packEntries } from "./pack.ts";
import { piecesOf } from "./pieces.ts";

/** The source and the target of a backup. */
export type BackupJob = {
  readonly databaseUrl: string;
  readonly store: FileStore;
  readonly target: BackupTarget;
  /** The public keys for which the backup is encrypted; none for one that everybody can read. */
  readonly recipients: readonly string[];
  readonly signal: AbortSignal;
  readonly progress: (message: string) => void;
};

/** Stores the bytes of a backup completely or not at all. */
export type BackupTarget = (
  bytes: AsyncIterable<Uint8Array>,
  job: Pick<BackupJob, "signal" | "progress"> & {
    /** The size of the data, which compression makes smaller. */
    readonly expectedBytes: number;
    /** Returns whether most attachments were in the store, once the bytes have been read: not if it is another store. */
    readonly hasFiles: () => boolean;
  },
) => Promise<Stored>;

/** Where a backup is. */
type Stored = {
  readonly file: string;
  /** The names of older backups that were removed. */
  readonly removed?: readonly string[];
};

/** The result of a backup. */
export type BackupResult = Stored & {
  readonly bytes: number;
  readonly tables: number;
  readonly rows: number;
  readonly attachments: number;
  readonly attachmentBytes: number;
  /** Keys of attachments of documents whose bytes are missing in the store. */
  readonly missing: readonly string[];
  /** Tables of other programs in the database, which the backup omits. */
  readonly foreign: readonly string[];
};

/** Keeps up with a disk; a higher level compresses texts only little more. */
const gzipLevel = 3;

/** Writes a consistent backup. */
export async function backUp(job: BackupJob): Promise<BackupResult> {
  const { databaseUrl, signal, progress } = job;
  const onWait = (): void => progress("Waiting for another backup to finish.");
  return whileBackingUp(databaseUrl, { onWait, signal }, () =>
    withSnapshot(databaseUrl, async (snapshot) => {
      const end: End = { entries: 0, sha256: "", rows: {}, files: 0, fileBytes: 0, missing: [] };
      const written = { bytes: 0 };
      const expectedBytes = await sizeOf(snapshot);
      const archive = compressed(job, snapshot, end);
      const bytes = job.recipients.length === 0 ? archive : await encrypt(archive, job.recipients);
      const hasFiles = (): boolean => end.missing.length <= end.files;
      const stored = await job.target(counted(bytes, written), { expectedBytes, hasFiles, signal, progress });
      return { ...stored, ...resultOf(snapshot, end, written.bytes) };
    }),
  );
}

/** Returns the archive, and its totals in `end` when it was read. */
function compressed(job: BackupJob, snapshot: Snapshot, end: End): AsyncIterable<Uint8Array> {
  const chain = new Chain();
  const archive = packEntries(entriesOf(job, snapshot, chain, end), chain, job.signal);
  // The iteration reports failures.
  return pipeline(Readable.from(archive, { objectMode: false }), createGzip({ level: gzipLevel }), () => {});
}

async function* counted(bytes: AsyncIterable<Uint8Array>, written: { bytes: number }): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    written.bytes += chunk.byteLength;
    yield chunk;
  }
}

async function sizeOf(snapshot: Snapshot): Promise<number> {
  const query = `SELECT pg_database_size(current_database()) + (SELECT coalesce(sum(size), 0) FROM attachments) AS bytes`;
  for await (const [row] of snapshot.pages<{ bytes: string }>(query)) return Number(row?.bytes);
  return 0;
}

async function* entriesOf(job: BackupJob, snapshot: Snapshot, chain: Chain, end: End): AsyncGenerator<Entry> {
  const files = await countFiles(snapshot);
  const bar = showProgress(process.stderr, "Backing up", snapshot.tables.length + files);
  try {
    yield jsonEntry(beginName, beginOf(snapshot, files));
    for (const table of snapshot.tables) {
      bar.step(table.name);
      const copy = snapshot.copy(table);
      yield* piecesOf(tableFolder(table.name), copy.chunks);
      end.rows[table.name] = copy.rows();
    }
    yield* filesOf(job, snapshot, bar, end);
    yield jsonEntry(endName, Object.assign(end, { entries: chain.entries, sha256: chain.digest() }));
  } finally {
    bar.end();
  }
}

const jsonEntry = (name: string, value: Begin | End): Entry => ({ name, bytes: Buffer.from(JSON.stringify(value)) });

const beginOf = ({ tables, migrations }: Snapshot, files: number): Begin => ({
  format: "kb-backup",
  formatVersion: 1,
  version,
  createdAt: new Date().toISOString(),
  migrations: [...migrations],
  files,
  tables: tables.map(({ name, columns }) => ({ name, columns: [...columns] })),
});

type FileRow = { storageKey: string; contentType: string; owned: boolean };

const readyFiles = `FROM attachments WHERE status = 'ready' AND "storageKey" IS NOT NULL`;

async function countFiles(snapshot: Snapshot): Promise<number> {
  for await (const [row] of snapshot.pages<{ count: string }>(`SELECT count(*) AS count ${readyFiles}`)) {
    return Number(row?.count);
  }
  return 0;
}

/**
 * Reads the bytes of every attachment. Reports missing bytes if a document owns the attachment; others may have been
 * cleaned up since the snapshot.
 */
async function* filesOf(job: BackupJob, snapshot: Snapshot, bar: Progress, end: End): AsyncGenerator<Entry> {
  const query = `SELECT "storageKey", "contentType", "documentId" IS NOT NULL AS owned ${readyFiles} ORDER BY "teamId", id`;
  for await (const rows of snapshot.pages<FileRow>(query)) {
    for (const { storageKey, contentType, owned } of rows) {
      bar.step(storageKey);
      const bytes = await job.store.get(storageKey);
      if (bytes === null) {
        if (owned) end.missing.push(storageKey);
        continue;
      }
      for await (const entry of piecesOf(fileFolder(storageKey), bytes, contentType)) {
        end.fileBytes += entry.bytes.byteLength;
        yield entry;
      }
      end.files += 1;
    }
  }
}

function resultOf({ tables, foreign }: Snapshot, end: End, bytes: number): Omit<BackupResult, keyof Stored> {
  return {
    bytes,
    tables: tables.length,
    rows: Object.values(end.rows).reduce((sum, rows) => sum + rows, 0),
    attachments: end.files,
    attachmentBytes: end.fileBytes,
    missing: end.missing,
    foreign,
  };
}
