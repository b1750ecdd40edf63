import { type Loading, loadDatabase } from "@kb/db";
import type { FileStore } from "@kb/storage";
import { z } from "zod";
import { showProgress } from "../import/progress.ts";
import { BackupFileError, Begin, beginName, End, endName, fileFolder, fileKey, tableFolder } from "./format.ts";
import { Entries } from "./unpack.ts";

/** What is restored, and where to. */
export type RestoreJob = {
  readonly databaseUrl: string;
  readonly store: FileStore;
  readonly file: string;
  readonly signal: AbortSignal;
  readonly progress: (message: string) => void;
  /** Whether this installation reads what was sealed. */
  readonly opens: (sealed: Uint8Array) => boolean;
};

/** What came of it. */
export type RestoreResult = Pick<Begin, "version" | "createdAt"> & {
  readonly tables: number;
  readonly rows: number;
  readonly attachments: number;
  /** Null where the backup holds nothing sealed. */
  readonly secretFits: boolean | null;
};

/**
 * Brings a backup into an empty database, and the bytes of its attachments into the store. Rows become visible when all of
 * them and all bytes are there; when anything fails, no row is there, and the bytes that came are taken back.
 * @throws {BackupFileError} for a file that is none, or is damaged.
 */
export async function restore(job: RestoreJob): Promise<RestoreResult> {
  const entries = new Entries(job.file, job.signal);
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
    if (error instanceof BackupFileError) return null;
    throw error;
  });
  if (first?.name !== beginName) throw new BackupFileError("is not a backup that `kb backup` made");
  // Another form says its version all the same, or says nothing that can be read.
  const stated = await entries.document(beginName, z.looseObject({ version: z.string().optional() }));
  const begin = Begin.safeParse(stated);
  if (!begin.success)
    throw new BackupFileError(`has a form that this version does not know (${stated.version ?? "?"})`);
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
    await requireWhole(entries, rows, attachments);
    const { version, createdAt, tables } = begin;
    const total = Object.values(rows).reduce((sum, count) => sum + count, 0);
    const secretFits = await secretFitsIn(job, loading);
    return { version, createdAt, tables: tables.length, rows: total, attachments, secretFits };
  } catch (error) {
    for (const key of put) await job.store.removeBelow(key).catch(() => {});
    throw error;
  } finally {
    bar.end();
  }
}

/** A key is made for one attempt of one upload: what stands under it in a store that outlived the database is the same. */
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
    if (await isThere(store, key)) {
      for await (const _piece of bytes) signal.throwIfAborted();
      continue;
    }
    put.push(key);
    await store.put(key, bytes, next.type ?? "application/octet-stream");
  }
}

async function isThere(store: FileStore, key: string): Promise<boolean> {
  const bytes = await store.get(key);
  // Let go at once: only that there are any is asked for.
  await bytes?.[Symbol.asyncIterator]().return?.();
  return bytes !== null;
}

async function requireWhole(entries: Entries, rows: Record<string, number>, files: number): Promise<void> {
  const [count, digest] = [entries.chain.entries, entries.chain.digest()];
  const end = await entries.document(endName, End);
  const counts = Object.keys(end.rows).length === Object.keys(rows).length;
  const agree = counts && Object.entries(end.rows).every(([name, number]) => rows[name] === number);
  if (!agree || end.entries !== count || end.sha256 !== digest || end.files !== files) {
    throw new BackupFileError("is damaged: what is in it is not what it says at its end");
  }
  if ((await entries.peek()) !== null) throw new BackupFileError("is damaged: something comes after its end");
}

async function secretFitsIn({ opens }: RestoreJob, loading: Loading): Promise<boolean | null> {
  const [row] = await loading.rows<{ secret: Uint8Array }>("SELECT secret FROM webhook_subscriptions LIMIT 1");
  return row === undefined ? null : opens(row.secret);
}
