import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { invoke, operations, receiveImport, type Service } from "@kb/core";
import { createWorld, inApp, type Person, type World } from "@kb/core/testing";
import { testDatabase } from "@kb/db/testing";
import type { ImportSettings } from "@kb/importer";
import { guardedFetch } from "@kb/outgoing";
import { createLogger } from "@kb/runtime";
import { openFiles, StorageVariables } from "@kb/storage";
import JSZip from "jszip";
import { z } from "zod";
import { type RunningWorker, startWorker, type WorkerOptions } from "../src/index.ts";

type Shown = Awaited<ReturnType<ImportSetting["read"]>>;

type ImportTimes = Pick<WorkerOptions, "importLeaseMs" | "importTurnMs" | "importPreparationMs"> & {
  readonly heapMb?: number;
};

/** A world whose people import, and workers that do it. */
export type ImportSetting = {
  readonly world: World;
  readonly service: World["service"] & { readonly files: ReturnType<typeof openFiles> };
  readonly settings: ImportSettings;
  work(options?: ImportTimes): RunningWorker;
  /** Begins an import of a file; returns its id. */
  begin(who: Person, file: NewFile): Promise<string>;
  read(who: Person, id: string): Promise<z.output<typeof operations.getImport.output>>;
  /** Waits until an import has ended. */
  ended(who: Person, id: string): Promise<Shown>;
  titles(who: Person, collectionId: string): Promise<string[]>;
  close(): Promise<void>;
};

type NewFile = {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly input?: Partial<z.input<typeof operations.createImport.input>>;
};

export async function openImportSetting(): Promise<ImportSetting> {
  const { database, drop, url: databaseUrl } = await testDatabase();
  const dataDir = mkdtempSync(join(tmpdir(), "kb-imports-"));
  const storage = z.object(StorageVariables).parse({});
  const world = await createWorld(database);
  const service = { ...world.service, files: openFiles(storage, dataDir) };
  const settings = { databaseUrl, appUrl: service.appUrl, storage, dataDir, quotas: { team: {}, user: {} } };
  const workers: RunningWorker[] = [];
  const read = (who: Person, id: string) => invoke(service, operations.getImport, inApp(who), { id });
  return {
    world,
    service,
    settings,
    work: ({ heapMb, ...times } = {}) => {
      const worker = startWorker({
        service,
        outgoing: guardedFetch(),
        logger: createLogger({ app: "worker", level: "silent" }),
        imports: heapMb === undefined ? settings : { ...settings, heapMb },
        importLeaseMs: 5_000,
        ...times,
        trashRetentionDays: 30,
        pollMs: 20,
      });
      workers.push(worker);
      return worker;
    },
    begin: async (who, { name, bytes, input }) => {
      const request = { name, size: bytes.byteLength, collectionId: world.collections.open, ...input };
      const ticket = await invoke(service, operations.createImport, inApp(who), request);
      await send(service, ticket.uploadUrl, bytes);
      return ticket.import.id;
    },
    read,
    ended: async (who, id) => {
      for (;;) {
        const shown = await read(who, id);
        if (["done", "failed", "stopped"].includes(shown.status)) return shown;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    },
    titles: async (who, collectionId) => {
      const list = await invoke(service, operations.listDocuments, inApp(who), {
        collectionId,
        limit: 100,
        sort: "title",
      });
      return list.data.map((row) => String("title" in row ? row.title : ""));
    },
    close: async () => {
      for (const worker of workers) await worker.close();
      await drop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Sends a file to the address of an import. */
export function send(service: Service, uploadUrl: string, bytes: Uint8Array): Promise<object> {
  const { pathname, searchParams } = new URL(uploadUrl);
  return receiveImport(service, {
    id: pathname.split("/").at(-1) ?? "",
    token: searchParams.get("token") ?? "",
    body: oneChunk(bytes),
    length: bytes.byteLength,
  });
}

async function* oneChunk(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** Returns a ZIP archive of files. */
export async function zipOf(
  contents: Readonly<Record<string, string | Uint8Array>>,
  compression: "STORE" | "DEFLATE" = "DEFLATE",
): Promise<Uint8Array> {
  const zip = new JSZip();
  for (const [path, content] of Object.entries(contents)) zip.file(path, content);
  return zip.generateAsync({ type: "uint8array", compression });
}
