import { type Loading, loadDatabase } from "@kb/db";
import type { FileStore } from "@kb/storage";
import { z } from "zod";
import { showProgress } from "../progress.ts";
import { BackupFileError, Begin, beginName, End, endName, fileFolder, fileKey, tableFolder } from "./format.ts";
import { Entries } from "./unpack.ts";

/** The source and the target of a restore. */
export type RestoreJob = {
  readonly databaseUrl: string;
  readonly store: FileStore;
  readonly source: AsyncIterable<Uint8Array>;
  /** The private keys that open an encrypted backup. */
  readonly identities: readonly string[];
  readonly signal: AbortSignal;
  readonly progress: (message: string) => void;
  /** Returns whether the secret of this installation opens a sealed value. */
  readonly opens: (sealed: Uint8Array) => boolean;
};

/** The result of a restore. */
export type RestoreResult = Pick<Begin, "version" | "createdAt"> & {
  readonly tables: number;
  readonly rows: number;
  readonly attachments: number;
  /** Null if the backup contains no sealed value. */
  readonly secretFits: boolean | null;
};

/**
 * Restores a backup to an empty database, and its attachments to the store. Rows become visible when everything is
 * restored; a failure leaves no rows and removes the attachments again.
 * @throws {BackupFileError} for a file that is not a backup or is damaged
 */
export async function restore(job: RestoreJob): Promise<RestoreResult> {
  const entries = new Entries(job.source, job.identities, job.signal);
  try {
    const begin = await beginOf(entries);
    const { databaseUrl: url, progress: onProgress } = job;
    const { migrations, tables } = begin;
    return await loadDatabase(url, { migrations, tables, onProgress }, (loading) =>
      fill(job, { entries, begin, loading }),
    );
  } finally {
    await entries.close();
  }
}

async function beginOf(entries: Entries): Promise<Begin> {
  const first = await entries.peek().catch((error: unknown) => {
    if (error instanceof BackupFileError && !error.isEncrypted) return null;
    throw error;
  });
  if (first?.name !== beginName) throw new BackupFileError("is not a backup of `kb backup`");
  // A backup of another format may still name its version.
  const stated = await entries.document(beginName, z.looseObject({ version: z.string().optional() }));
  const begin = Begin.safeParse(stated);
  if (!begin.success)
    throw new BackupFileError(`has a format that this version does not know (${stated.version ?? "?"})`);
  return begin.data;
}

type Filling = { readonly entries: Entries; readonly begin: Begin; readonly loading: Loading };

async function fill(job: RestoreJob, filling: Filling): Promise<RestoreResult> {
  const { entries, begin, loading } = filling;
  const bar = showProgress(process.stderr, "Restoring", begin.tables.length + begin.files);
  const put: string[] = [];
  try {
    const rows: Record<string, number> = {};
    for (const table of begin.tables) {
      bar.step(table.name);
      rows[table.name] = await loading.load(table, entries.folder(tableFolder(table.name)));
    }
    const attachments = await fillStore(job, entries, put, bar.step);
    await requireComplete(entries, rows, attachments);
    const { version, createdAt, tables } = begin;
    const total = Object.values(rows).reduce((sum, count) => sum + count, 0);
    const secretFits = await secretFitsIn(job, filling);
    return { version, createdAt, tables: tables.length, rows: total, attachments, secretFits };
  } catch (error) {
    for (const key of put) await job.store.removeBelow(key).catch(() => {});
    throw error;
  } finally {
    bar.end();
  }
}

/** Stores the attachments. Skips keys that the store still has: each belongs to one upload, so its bytes are the same. */
async function fillStore(
  { store, signal }: RestoreJob,
  entries: Entries,
  put: string[],
  step: (what: string) => void,
): Promise<number> {
  for (let count = 0; ; count += 1) {
    const next = await entries.peek();
    const key = next === null ? undefined : fileKey(next.name);
    if (next === null || key === undefined) return count;
    signal.throwIfAborted();
    step(key);
    const bytes = entries.folder(fileFolder(key));
    if (await exists(store, key)) {
      for await (const _piece of bytes) signal.throwIfAborted();
      continue;
    }
    put.push(key);
    await store.put(key, bytes, next.type ?? "application/octet-stream");
  }
}

async function exists(store: FileStore, key: string): Promise<boolean> {
  const bytes = await store.get(key);
  // Closes the source without reading it.
  await bytes?.[Symbol.asyncIterator]().return?.();
  return bytes !== null;
}

async function requireComplete(entries: Entries, rows: Record<string, number>, files: number): Promise<void> {
  const count = entries.chain.entries;
  const digest = entries.chain.digest();
  const end = await entries.document(endName, End);
  const counts = Object.keys(end.rows).length === Object.keys(rows).length;
  const agree = counts && Object.entries(end.rows).every(([name, number]) => rows[name] === number);
  if (!agree || end.entries !== count || end.sha256 !== digest || end.files !== files) {
    throw new BackupFileError("is damaged: its contents differ from the totals at its end");
  }
  if ((await entries.peek()) !== null) throw new BackupFileError("is damaged: data follows its end");
}

/** The tables with a sealed `secret`. A backup of an older version has only some of them. */
const sealedTables = ["webhook_subscriptions", "second_factors"] as const;

async function secretFitsIn({ opens }: RestoreJob, { begin, loading }: Filling): Promise<boolean | null> {
  for (const name of sealedTables.filter((sealed) => begin.tables.some((table) => table.name === sealed))) {
    const [row] = await loading.rows<{ secret: Uint8Array }>(`SELECT secret FROM ${name} LIMIT 1`);
    if (row !== undefined) return opens(row.secret);
  }
  return null;
}
