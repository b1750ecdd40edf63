import { createWriteStream } from "node:fs";
import { rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { type Snapshot, whileBackingUp, withSnapshot } from "@kb/db";
import { type FileStore, syncFolder } from "@kb/storage";
import { type Progress, showProgress } from "../progress.ts";
import { version } from "../version.ts";
import { type Begin, beginName, type End, type Entry, endName, fileFolder, tableFolder } from "./format.ts";
import { Chain, packEntries } from "./pack.ts";
import { piecesOf } from "./pieces.ts";

/** The source and the target of a backup. */
export type BackupJob = {
  readonly databaseUrl: string;
  readonly store: FileStore;
  /** The file to write. */
  readonly out: string;
  readonly signal: AbortSignal;
  readonly progress: (message: string) => void;
};

/** The result of a backup. */
export type BackupResult = {
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

/**
 * Writes a consistent backup to one file. Writes to a temporary name first, so the file is complete whenever it exists.
 */
export async function backUp(job: BackupJob): Promise<BackupResult> {
  const { databaseUrl, out, signal, progress } = job;
  const onWait = (): void => progress("Waiting for another backup to finish.");
  const unfinished = `${out}.unfinished`;
  return whileBackingUp(databaseUrl, { onWait, signal }, () =>
    withSnapshot(databaseUrl, async (snapshot) => {
      await rm(unfinished, { force: true });
      try {
        const end = await write(job, snapshot, unfinished);
        await rename(unfinished, out);
        await syncFolder(dirname(out));
        return await resultOf(out, snapshot, end);
      } catch (error) {
        await rm(unfinished, { force: true });
        throw error;
      }
    }),
  );
}

async function write(job: BackupJob, snapshot: Snapshot, path: string): Promise<End> {
  const chain = new Chain();
  const end: End = { entries: 0, sha256: "", rows: {}, files: 0, fileBytes: 0, missing: [] };
  const archive = packEntries(entriesOf(job, snapshot, chain, end), chain, job.signal);
  const file = createWriteStream(path, { flags: "wx", mode: 0o600, flush: true });
  await pipeline(Readable.from(archive, { objectMode: false }), createGzip({ level: gzipLevel }), file, {
    signal: job.signal,
  });
  return end;
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

async function resultOf(out: string, { tables, foreign }: Snapshot, end: End): Promise<BackupResult> {
  return {
    bytes: (await stat(out)).size,
    tables: tables.length,
    rows: Object.values(end.rows).reduce((sum, rows) => sum + rows, 0),
    attachments: end.files,
    attachmentBytes: end.fileBytes,
    missing: end.missing,
    foreign,
  };
}
