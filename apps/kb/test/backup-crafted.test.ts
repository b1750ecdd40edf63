import {
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { migrationStatus, sql } from "@kb/db";
import { type TestDatabase, testDatabase } from "@kb/db/testing";
import { folderStore } from "@kb/storage";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { beginName, type Entry, endName } from "../src/backup/format.ts";
import { Chain, packEntries } from "../src/backup/pack.ts";
import { restore } from "../src/backup/restore.ts";

// Archives that no `kb backup` wrote, though each of their entries has the checksum that it says.

const folder = mkdtempSync(join(tmpdir(), "kb-crafted-"));
const file = join(folder, "crafted.tar.gz");
const { signal } = new AbortController();
let target: TestDatabase;
let migrations: { name: string; checksum: string }[];

beforeAll(async () => {
  target = await testDatabase();
  const { applied } = await migrationStatus(target.url);
  const rows = await target.database.acrossTeams.rows<{ name: string; checksum: string }>(
    sql`SELECT migration_name AS name, checksum FROM _prisma_migrations ORDER BY 1`,
  );
  migrations = rows.filter(({ name }) => applied.includes(name));
});
afterAll(async () => {
  await target.drop();
  rmSync(folder, { recursive: true, force: true });
});

const begin = (): Record<string, unknown> => ({
  format: "kb-backup",
  formatVersion: 1,
  version: "9.8.7",
  createdAt: "2026-01-01T00:00:00.000Z",
  migrations,
  tables: [],
  files: 1,
});

const entry = (name: string, value: unknown): Entry => ({
  name,
  bytes: Buffer.from(typeof value === "string" ? value : JSON.stringify(value)),
});

/** Returns the message of a restore of these entries, into a store that another installation uses too. */
async function restored(entries: readonly Entry[]): Promise<string> {
  const stream = packEntries(Readable.from(entries), new Chain(), signal);
  await pipeline(Readable.from(stream, { objectMode: false }), createGzip(), createWriteStream(file));
  const store = folderStore(join(folder, "files"));
  const job = { databaseUrl: target.url, store, source: createReadStream(file), identities: [], signal };
  return restore({ ...job, progress: () => {}, opens: () => true }).then(
    () => "restored",
    (error: Error) => `${error.name}: ${error.message}`,
  );
}

describe("kb restore of a crafted archive", { timeout: 60_000 }, () => {
  it("rejects a newer format by its version, whatever its content", async () => {
    for (const more of [{ formatVersion: 2 }, { tables: "elsewhere" }, { format: "kb-backup-2" }]) {
      expect(await restored([entry(beginName, { ...begin(), ...more })])).toBe(
        "BackupFileError: has a format that this version does not know (9.8.7)",
      );
    }
  });

  it("rejects invalid JSON as damage", async () => {
    expect(await restored([entry(beginName, "{")])).toBe(`BackupFileError: is damaged: ${beginName} is not readable`);
    expect(await restored([entry(beginName, begin()), entry(endName, "{")])).toBe(
      `BackupFileError: is damaged: ${endName} is not readable`,
    );
  });

  it("rejects a name that points at other files or out of the store, and leaves those files unchanged", async () => {
    const theirs = join(folder, "files", "team", "attachment", "attempt");
    mkdirSync(join(folder, "files", "team", "attachment"), { recursive: true });
    writeFileSync(theirs, "bytes of another installation");
    for (const key of ["team", "team/attachment", "../team/x", "team/../../y", "/etc/passwd", "a/b/c/d"]) {
      const said = await restored([entry(beginName, begin()), entry(`files/${key}/00000001`, "x"), entry(endName, {})]);
      expect(said, key).toMatch(/^BackupFileError: is damaged: it contains files\/.* instead of end\.json$/);
      expect(existsSync(theirs), key).toBe(true);
    }
  });

  it("rejects a table or a column that the migrations do not create", async () => {
    for (const table of [
      { name: '"; DROP TABLE teams; --', columns: ["id"] },
      { name: "_prisma_migrations", columns: ["id"] },
      { name: "teams", columns: ["id) FROM PROGRAM 'true'; --"] },
    ]) {
      expect(await restored([entry(beginName, { ...begin(), tables: [table] })])).toMatch(/^MigrationError: /);
    }
    expect(await target.database.acrossTeams.rows(sql`SELECT 1 FROM teams`)).toEqual([]);
  });
});
