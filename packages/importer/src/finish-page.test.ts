import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type DocumentView, invoke, operations } from "@kb/core";
import { createWorld, type World } from "@kb/core/testing";
import { type TestDatabase, testDatabase } from "@kb/db/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Assets } from "./assets.ts";
import { importJob } from "./import-job.ts";
import type { ImportResult } from "./result.ts";
import { collectionStore, type Store } from "./store.ts";

let test: TestDatabase;
let world: World;
let folder: string;

beforeAll(async () => {
  test = await testDatabase();
  world = await createWorld(test.database);
  folder = mkdtempSync(join(tmpdir(), "kb-test-"));
});

afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await test?.drop();
});

const count = 6;

/** Pages with a file each; each links to the next one and shows a picture that all share. */
function sourceFolder(): string {
  const source = join(folder, "source");
  mkdirSync(source, { recursive: true });
  for (let n = 0; n < count; n += 1) {
    const next = `page-${(n + 1) % count}.md`;
    writeFileSync(join(source, `page-${n}.md`), `Text ${n}, [next](${next}#x), [file](file-${n}.txt), ![[all.gif]]\n`);
    writeFileSync(join(source, `file-${n}.txt`), `File ${n}.`);
  }
  writeFileSync(join(source, "all.gif"), "GIF89a");
  return source;
}

async function importInto(
  collectionId: string,
  { change = (store) => store, signal = new AbortController().signal }: Interruption = {},
): Promise<ImportResult> {
  const temporary = mkdtempSync(join(folder, "converted-"));
  const unpacked = { skipped: [], notes: [] };
  const job = await importJob({ folder: sourceFolder(), isArchive: false, temporary, unpacked });
  const { service, people } = world;
  const place = { service, actor: () => people.admin.actor, collectionId, publish: true };
  const store = change(collectionStore(place, new Assets(place, job.others)));
  return (await job.run(store, { update: false, textTags: false, signal })).result;
}

type Interruption = { readonly change?: (store: Store) => Store; readonly signal?: AbortSignal };

async function newCollection(name: string): Promise<string> {
  return (await invoke(world.service, operations.createCollection, world.people.admin.actor, { name })).id;
}

/** The documents of a collection by title. */
async function documentsOf(collectionId: string): Promise<Map<string, DocumentView>> {
  const request = { collectionId, limit: 100, format: "markdown" };
  const { data } = await invoke(world.service, operations.listDocuments, world.people.admin.actor, request);
  return new Map(data.flatMap((document) => ("title" in document ? [[document.title, document] as const] : [])));
}

const attachmentCount = (collectionId: string): Promise<number> =>
  test.database.client.attachment.count({ where: { teamId: world.teamId, document: { collectionId } } });

/** Stops an import when it attaches the file of a page. */
async function stopAt(collectionId: string, path: string): Promise<void> {
  const stop = new AbortController();
  const change = (store: Store): Store => ({
    ...store,
    attach: async (file, id) => {
      if (file === path) stop.abort(new Error("stopped"));
      stop.signal.throwIfAborted();
      return store.attach(file, id);
    },
  });
  await expect(importInto(collectionId, { change, signal: stop.signal })).rejects.toThrow("stopped");
}

async function expectWhole(collectionId: string): Promise<void> {
  const documents = await documentsOf(collectionId);
  expect(documents.size).toBe(count);
  for (let n = 0; n < count; n += 1) {
    const next = documents.get(`page-${(n + 1) % count}`);
    const text = documents.get(`page-${n}`)?.markdownText;
    expect(text).toContain(`[next](${next?.url}#x)`);
    expect(text).toMatch(
      new RegExp(`\\[file\\]\\(http.*/files/[\\w-]{32}/file-${n}.txt\\), !\\[.*\\]\\(http.*/all.gif\\)`),
    );
  }
  expect(await attachmentCount(collectionId)).toBe(count + 1);
}

describe("an import that was stopped", { timeout: 120_000 }, () => {
  it.each([["file-0.txt"], ["file-2.txt"], ["file-5.txt"]])(
    "has everything once when it is repeated, where it attached %s",
    async (path) => {
      const collectionId = await newCollection(`Stopped at ${path}`);
      await stopAt(collectionId, path);
      const again = await importInto(collectionId);
      expect(again.imported + again.updated + again.existing).toBe(count);
      expect(again.updated).toBeGreaterThan(0);
      await expectWhole(collectionId);
      expect(await importInto(collectionId)).toMatchObject({ imported: 0, updated: 0, existing: count });
    },
  );

  it("keeps what somebody changed in an unfinished page", async () => {
    const collectionId = await newCollection("Edited");
    await stopAt(collectionId, "file-0.txt");
    const id = (await documentsOf(collectionId)).get("page-0")?.id ?? "";
    const change = { id, text: "Mine, [file](file-0.txt).\n" };
    await invoke(world.service, operations.updateDocument, world.people.admin.actor, change);
    await importInto(collectionId);
    const documents = await documentsOf(collectionId);
    expect(documents.size).toBe(count);
    expect(documents.get("page-0")).toMatchObject({ markdownText: change.text, revision: 2 });
  });
});
