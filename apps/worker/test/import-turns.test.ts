import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { claimImport, invoke, operations } from "@kb/core";
import { inApp } from "@kb/core/testing";
import { newId, withSessionLock } from "@kb/db";
import { sweepFolders } from "@kb/importer";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type ImportSetting, openImportSetting, zipOf } from "./import-setting.ts";

let setting: ImportSetting;
beforeEach(async () => {
  setting = await openImportSetting();
});
afterEach(() => setting?.close());

const { signal } = new AbortController();
const pages = 150;
/** So many that the import is still running when its turn is looked at, also on a fast machine. */
const pagesOfTurns = 1_000;
const manyPages = (count = pages) =>
  zipOf(Object.fromEntries(Array.from({ length: count }, (_, at) => [`page-${at}.md`, `# Page ${at}\n\nText`])));

it("an import whose turn is over lets those of others go first, and is then continued without duplicates", {
  meta: { proves: ["decision.app.import-continue"] },
  timeout: 280_000,
}, async () => {
  const { world, service } = setting;
  const { editor, admin } = world.people;
  const { id: collectionId } = await invoke(service, operations.createCollection, inApp(editor), { name: "Many" });
  const long = await setting.begin(editor, {
    name: "many.zip",
    bytes: await manyPages(pagesOfTurns),
    input: { collectionId },
  });
  setting.work({ importTurnMs: 0 });
  await expect
    .poll(async () => (await setting.read(editor, long)).status, { timeout: 120_000, interval: 5 })
    .toBe("running");
  const short = await setting.begin(admin, { name: "One.md", bytes: Buffer.from("Text") });
  await setting.ended(admin, short);
  expect(await setting.ended(editor, long)).toMatchObject({ status: "done", files: pagesOfTurns });
  const ended = async (who: typeof editor, id: string) => Date.parse((await setting.read(who, id)).finishedAt ?? "");
  expect(await ended(admin, short)).toBeLessThan(await ended(editor, long));
  const list = { collectionId, limit: 1 };
  expect(await invoke(service, operations.listDocuments, inApp(editor), list)).toMatchObject({ total: pagesOfTurns });
});

it("a file that takes too long to read, or more memory than an import may use, is refused with its reason and not kept", {
  meta: { proves: ["decision.app.import-bounds"] },
  timeout: 280_000,
}, async () => {
  const { editor } = setting.world.people;
  const bytes = await manyPages();
  const run = async (times: Parameters<typeof setting.work>[0], input: object) => {
    const worker = setting.work(times);
    const id = await setting.begin(editor, { name: "many.zip", bytes, input });
    const shown = await setting.ended(editor, id);
    await worker.close();
    return shown;
  };
  const small = await run({ heapMb: 8 }, {});
  expect(small).toMatchObject({ status: "failed", canContinue: false, failure: { code: "payload_too_large" } });
  expect(small.failure?.message).toMatch(/^many\.zip needs more than the 8 MB of memory/);
  // The import waits for the lock, and so does not end before somebody looks how long it takes.
  const lock = { url: setting.settings.databaseUrl, name: `import ${setting.world.collections.open}`, signal };
  const slow = await withSessionLock(lock, () => run({ importPreparationMs: 0 }, {}));
  expect(slow).toMatchObject({ status: "failed", canContinue: false, failure: { code: "payload_too_large" } });
  expect(slow.failure?.message).toMatch(/takes too long/);
});

it("folders that a killed worker left are removed when one starts, and those of imports that go on stay", {
  meta: { proves: ["decision.app.import-bounds"] },
}, async () => {
  const { service, world, settings } = setting;
  const id = await setting.begin(world.people.editor, { name: "One.md", bytes: Buffer.from("Text") });
  await claimImport(service, 60_000);
  const parent = join(settings.dataDir, "imports");
  const names = [`${id}-1`, `${id}-2`, id, `${newId()}-1`, "of somebody else"];
  for (const name of names) mkdirSync(join(parent, name, "unpacked"), { recursive: true });
  expect(await sweepFolders(service, settings.dataDir)).toBe(3);
  expect(readdirSync(parent).sort()).toEqual([`${id}-1`, "of somebody else"].sort());
  expect(existsSync(join(parent, `${id}-1`, "unpacked"))).toBe(true);
  expect(await sweepFolders(service, join(settings.dataDir, "none"))).toBe(0);
});
