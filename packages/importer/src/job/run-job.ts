import { createWriteStream } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { Actor } from "@kb/auth";
import { findImporter, type Service } from "@kb/core";
import { withSessionLock } from "@kb/db";
import { withUnpacked } from "../archive/unpack.ts";
import { Assets } from "../assets.ts";
import { explain } from "../explain.ts";
import { type ImportJob, importJob } from "../import-job.ts";
import { possiblePath } from "../possible-path.ts";
import { retryingStore } from "../retrying-store.ts";
import type { Imported } from "../run-state.ts";
import { collectionStore, dryStore, type Store } from "../store.ts";
import { JobError } from "./job-error.ts";
import { type JobResult, jobResultOf } from "./job-result.ts";
import type { ThreadRequest } from "./thread-request.ts";

/** Limits of everything that the file of an import unpacks to. */
const bounds = { bytes: 2 * 1024 ** 3, files: 100_000 };
const actorCheckMs = 5_000;

type Steps = {
  readonly signal: AbortSignal;
  readonly onTotal: (files: number) => void;
  readonly onFile: () => void;
  readonly onPage: () => void;
  /** Called after each document that was created or changed. */
  readonly onChange: () => void;
};

/**
 * Runs the import of a file that somebody uploaded, with that user's rights.
 * @throws {SourceError} for a file that cannot be imported, {ServiceError} `forbidden` once its user may not write any more
 */
export async function runJob(service: Service, request: ThreadRequest, steps: Steps): Promise<JobResult> {
  const { claimed, folder } = request;
  const file = await fetchFile(service, request);
  const unpackedIn = join(folder, "unpacked");
  await mkdir(unpackedIn);
  const isArchive = /\.zip$/i.test(claimed.name);
  const options = { name: claimed.name, parent: unpackedIn };
  const source = isArchive ? file : join(folder, "source");
  return withUnpacked(
    source,
    bounds,
    steps.signal,
    async (unpackedFolder, unpacked) => {
      const temporary = join(folder, "converted");
      await mkdir(temporary);
      const job = await importJob({ folder: unpackedFolder, isArchive, temporary, unpacked });
      steps.onTotal(job.files);
      return jobResultOf(job, await runScanned(service, request, job, steps));
    },
    options,
  );
}

/** Copies the file from the store, as an archive needs a file that can be read in any order. */
async function fetchFile(service: Service, { claimed, folder }: ThreadRequest): Promise<string> {
  const { storageKey, name } = claimed;
  const bytes = storageKey === null ? null : await service.files?.store.get(storageKey);
  if (bytes === null || bytes === undefined) {
    throw new JobError("not_found", explain("file_gone", {}));
  }
  await mkdir(join(folder, "source"));
  // The name of a page without a title is that of its file.
  const file = /\.zip$/i.test(name)
    ? join(folder, "source.zip")
    : join(folder, "source", possiblePath(name.replace(/^\.+/, "")));
  await pipeline(bytes, createWriteStream(file, { flags: "wx" }));
  return file;
}

async function runScanned(service: Service, request: ThreadRequest, job: ImportJob, steps: Steps): Promise<Imported> {
  const { claimed, databaseUrl: url } = request;
  const { update, publish, textTags, dryRun } = claimed.options;
  const switches = { update, textTags, onFile: steps.onFile, onPage: steps.onPage };
  if (dryRun) return job.run(dryStore, { ...switches, signal: steps.signal });
  const { collectionId } = claimed;
  if (collectionId === null) throw new JobError("not_found", explain("collection_gone", {}));
  const stopped = new AbortController();
  const importer = await watchImporter(service, request, stopped);
  try {
    return await withSessionLock({ url, name: `import ${collectionId}`, signal: steps.signal }, async (lost) => {
      // Without the lock another import may write the same documents.
      const signal = AbortSignal.any([steps.signal, lost, stopped.signal]);
      const place = { service, actor: importer.actor, collectionId, publish };
      const assets = new Assets(place, job.others);
      const store = retryingStore(countingStore(collectionStore(place, assets), steps), { onWait: () => {}, signal });
      const imported = await job.run(store, { ...switches, signal });
      imported.result.notes.push(...assets.notes);
      return imported;
    });
  } finally {
    importer.close();
  }
}

/** Counts the documents that an import creates or changes. */
const countingStore = (store: Store, { onChange }: Steps): Store => ({
  ...store,
  create: async (...page) => {
    await store.create(...page);
    onChange();
  },
  update: async (...page) => {
    const isChanged = await store.update(...page);
    if (isChanged) onChange();
    return isChanged;
  },
});

/** Looks the user of an import up again and again, because it may outlast what they may do. Ends the import with the user. */
async function watchImporter(
  service: Service,
  { claimed }: ThreadRequest,
  stopped: AbortController,
): Promise<{ actor: () => Actor; close: () => void }> {
  const gone = (): JobError => new JobError("forbidden", explain("user_gone", {}));
  let actor = await findImporter(service, claimed);
  if (actor === null) throw gone();
  let current: Actor = actor;
  const timer = setInterval(async () => {
    // A database that does not answer keeps the user; the import waits for it anyway.
    actor = await findImporter(service, claimed).catch(() => current);
    if (actor === null) stopped.abort(gone());
    else current = actor;
  }, actorCheckMs);
  return { actor: () => current, close: () => clearInterval(timer) };
}
