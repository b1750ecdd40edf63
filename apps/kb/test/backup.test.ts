import { spawn } from "node:child_process";
import {
  createReadStream,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { admin, invoke, operations } from "@kb/core";
import { createWorld, type World } from "@kb/core/testing";
import { connect, migrate, migrationStatus, sql } from "@kb/db";
import { type TestDatabase, testDatabase } from "@kb/db/testing";
import { collectGarbage } from "@kb/telemetry";
import { builtProgram } from "@kb/testing/built-program";
import { generateIdentity, identityToRecipient } from "age-encryption";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { serviceOf } from "../src/access.ts";
import { backUp } from "../src/backup/backup.ts";
import { fileTarget } from "../src/backup/file-target.ts";
import { restore } from "../src/backup/restore.ts";
import { withFlippedBit } from "./flipped-bit.ts";
import { type Home, makeHome } from "./process.ts";

const folder = mkdtempSync(join(tmpdir(), "kb-backup-"));
const databases: TestDatabase[] = [];
let source: TestDatabase;
let home: Home;
let world: World;
let file: string;
let whole: Buffer;

beforeAll(async () => {
  source = await anyDatabase();
  home = await makeHome({ DATABASE_URL: source.url });
  world = await createWorld(source.database);
  const service = { ...world.service, files: serviceOf(source.database, home.settings).files };
  const name = "two pieces.bin";
  const bytes = Buffer.alloc(5_000_000, "bytes of an attachment ");
  const documentId = world.documents.guide.id;
  await invoke(service, operations.attachBytes, world.people.editor.actor, { name, bytes, documentId });
  const inApp = await admin.systemActor(service, world.teamId);
  await invoke(service, operations.createWebhook, inApp, { url: "https://hooks.example.com", events: ["document.*"] });
  file = join(folder, "backup.tar.gz");
  await home.json(["backup", "--out", file]);
  whole = readFileSync(file);
});

afterAll(async () => {
  await home?.remove();
  for (const database of databases) await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

async function anyDatabase(): Promise<TestDatabase> {
  const database = await testDatabase();
  databases.push(database);
  return database;
}

/** A database of its own that no migration has seen. */
async function bareDatabase(): Promise<string> {
  const made = await anyDatabase();
  await made.database.execute(sql`DROP SCHEMA public CASCADE`);
  await made.database.execute(sql`CREATE SCHEMA public`);
  return made.url;
}

async function countRows(url: string): Promise<number> {
  const database = connect({ url, applicationName: "kb-test" });
  try {
    const [row] = await database.acrossTeams.rows<{ teams: number }>(sql`SELECT count(*)::int AS teams FROM teams`);
    return row?.teams ?? 0;
  } finally {
    await database.close();
  }
}

const program = await builtProgram("kb");

/** The environment of a process whose attachments are in a bucket there. */
const inBucket = (endpoint: string): Record<string, string> => ({
  S3_BUCKET: "b",
  S3_ENDPOINT: endpoint,
  S3_ACCESS_KEY_ID: "a",
  S3_SECRET_ACCESS_KEY: "b",
  PATH: process.env.PATH ?? "",
  HOME: folder,
});

const filesOf = ({ folder: of }: Home): string[] =>
  existsSync(join(of, ".data", "files"))
    ? readdirSync(join(of, ".data", "files"), { recursive: true, encoding: "utf8" }).filter((path) =>
        statSync(join(of, ".data", "files", path)).isFile(),
      )
    : [];

describe("kb restore", { timeout: 120_000 }, () => {
  it("rejects a database that is not empty, and does not change it", {
    meta: { proves: ["decision.running.kb-restore"] },
  }, async () => {
    const target = await anyDatabase();
    await createWorld(target.database);
    const before = await countRows(target.url);
    const refused = await home.refusal(["restore", file], { DATABASE_URL: target.url });
    expect(refused).toMatchObject({ code: "not_empty" });
    expect(await countRows(target.url)).toBe(before);
    const foreign = await bareDatabase();
    const other = connect({ url: foreign, applicationName: "kb-test" });
    await other.execute(sql`CREATE TABLE of_somebody_else (id int)`);
    await other.close();
    expect(await home.refusal(["restore", file], { DATABASE_URL: foreign })).toMatchObject({
      code: "not_empty",
      error: expect.stringContaining("of_somebody_else"),
    });
  });

  it("accepts a database that is migrated but empty, and one without any tables", async () => {
    for (const url of [(await anyDatabase()).url, await bareDatabase()]) {
      const restored = await home.json(["restore", file], { DATABASE_URL: url });
      expect(restored).toMatchObject({ attachments: 1, tables: expect.any(Number), file });
      expect(await countRows(url)).toBe(2);
    }
  });

  it("rejects a file that is damaged anywhere, truncated, or not a backup, and stores neither rows nor bytes", async () => {
    const other = await makeHome();
    const { url } = await anyDatabase();
    const bad = join(folder, "bad.tar.gz");
    const refuses = async (bytes: Uint8Array, what: string): Promise<void> => {
      writeFileSync(bad, bytes);
      const { signal } = new AbortController();
      const source = createReadStream(bad);
      const job = { databaseUrl: url, store: storeOf(other), source, identities: [], progress: () => {}, signal };
      await expect(restore({ ...job, opens: () => true }), what).rejects.toThrow(/is damaged|is not a backup/);
      expect(await countRows(url), what).toBe(0);
      expect(filesOf(other), what).toEqual([]);
    };
    for (const part of [0.02, 0.2, 0.5, 0.8, 0.97]) {
      const at = Math.floor(whole.byteLength * part);
      await refuses(withFlippedBit(whole, at), `a bit at ${part}`);
      await refuses(whole.subarray(0, at), `cut off at ${part}`);
    }
    await refuses(whole.subarray(0, whole.byteLength - 4), "the last bytes missing");
    await refuses(Buffer.from("# Not a backup\n"), "a text");
    await refuses(gzipSync(Buffer.from("# Not a backup\n")), "a text, compressed");
    await refuses(gzipSync(Buffer.alloc(10_240)), "an archive of nothing");
    await refuses(Buffer.alloc(0), "nothing");
    await other.remove();
  });

  it("builds the schema of an older version, and migrates it after the restore", async () => {
    const { applied } = await migrationStatus(source.url);
    const oldUrl = await bareDatabase();
    const newUrl = await bareDatabase();
    // Before the switch of assistants had its moment.
    await migrate(oldUrl, { only: new Set(applied.slice(0, 5)) });
    const old = connect({ url: oldUrl, applicationName: "kb-test" });
    await old.execute(sql`INSERT INTO teams (id, name) VALUES (gen_random_uuid(), 'As it was')`);
    await old.close();
    const backup = join(folder, "older.tar.gz");
    await home.json(["backup", "--out", backup], { DATABASE_URL: oldUrl });
    await home.json(["restore", backup], { DATABASE_URL: newUrl });
    expect(await migrationStatus(newUrl)).toMatchObject({ applied, pending: [] });
    const restored = connect({ url: newUrl, applicationName: "kb-test" });
    const [team] = await restored.client.team.findMany();
    await restored.close();
    expect(team).toMatchObject({ name: "As it was", mcpSwitchedAt: null });
  });

  it("leaves no rows if it is killed midway, and the next restore is complete", async () => {
    const silent = await hangingServer();
    const url = await bareDatabase();
    const child = spawn(process.execPath, [program, "restore", file], {
      cwd: folder,
      stdio: "ignore",
      env: { ...inBucket(silent.url), DATABASE_URL: url },
    });
    await silent.asked();
    child.kill("SIGKILL");
    await new Promise((ended) => child.once("close", ended));
    silent.close();
    await expect.poll(() => countRows(url), { timeout: 10_000 }).toBe(0);
    expect(await home.json(["restore", file], { DATABASE_URL: url })).toMatchObject({ attachments: 1 });
    expect(await countRows(url)).toBe(2);
  });

  it("reports that the secret of this installation does not open the sealed values", async () => {
    const secrets = [
      { APP_SECRET: "another secret than the one of the tests 12", fits: false },
      { APP_SECRET: "the secret of an installation that is a test", fits: true },
    ];
    for (const { APP_SECRET, fits } of secrets) {
      const { url } = await anyDatabase();
      const { code, stdout } = await home.kb(["restore", file], { DATABASE_URL: url, APP_SECRET });
      expect(code).toBe(0);
      expect(/warning: the secret of this installation cannot decrypt/.test(stdout)).toBe(!fits);
    }
  });
});

describe("kb backup", { timeout: 120_000 }, () => {
  it("leaves no complete file if it is killed midway, and the next backup is complete", {
    meta: { proves: ["decision.running.kb-backup"] },
  }, async () => {
    const silent = await hangingServer();
    const out = join(folder, "killed.tar.gz");
    const env = { ...inBucket(silent.url), DATABASE_URL: source.url };
    for (const [signal, left] of [
      ["SIGKILL", ["killed.tar.gz.unfinished"]],
      ["SIGTERM", []],
    ] as const) {
      const child = spawn(process.execPath, [program, "backup", "--out", out], { cwd: folder, env, stdio: "ignore" });
      await silent.asked();
      child.kill(signal);
      await new Promise((ended) => child.once("close", ended));
      expect(readdirSync(folder).filter((name) => name.startsWith("killed"))).toEqual(left);
      for (const name of left) {
        const refused = await home.refusal(["restore", join(folder, name)], { DATABASE_URL: await bareDatabase() });
        expect(refused).toMatchObject({ code: "bad_backup" });
      }
    }
    silent.close();
    await home.json(["backup", "--out", out]);
    expect(readdirSync(folder).filter((name) => name.startsWith("killed"))).toEqual(["killed.tar.gz"]);
    expect(statSync(out).mode & 0o777).toBe(0o600);
  });

  it("reports an attachment whose bytes are missing and a foreign table, and saves everything else", async () => {
    const target = await anyDatabase();
    await home.json(["restore", file], { DATABASE_URL: target.url });
    await target.database.execute(sql`CREATE TABLE of_somebody_else (id int)`);
    const elsewhere = await makeHome({ DATABASE_URL: target.url });
    const out = join(folder, "incomplete.tar.gz");
    const summary = await elsewhere.json(["backup", "--out", out]);
    expect(summary).toMatchObject({ attachments: 0, missing: [expect.stringContaining(world.teamId)] });
    expect(summary.foreign).toEqual(["of_somebody_else"]);
    expect(await home.json(["restore", out], { DATABASE_URL: await bareDatabase() })).toMatchObject({ attachments: 0 });
    await elsewhere.remove();
  });

  it("needs only rows, because no id comes from a sequence", async () => {
    expect(await source.database.rows(sql`SELECT 1 FROM pg_sequences WHERE schemaname = 'public'`)).toEqual([]);
  });

  it("uses a few megabytes of memory for any amount of data", async () => {
    const target = await anyDatabase();
    const size = 256 * 1024 * 1024;
    const chunk = Buffer.alloc(1024 * 1024, "the same again ");
    const put = { bytes: 0 };
    const store = {
      get: async () =>
        (async function* () {
          for (let sent = 0; sent < size; sent += chunk.byteLength) yield chunk;
        })(),
      put: async (_key: string, bytes: AsyncIterable<Uint8Array>) => {
        for await (const piece of bytes) put.bytes += piece.byteLength;
      },
      removeBelow: async () => {},
    };
    const out = join(folder, "large.tar.gz");
    const { signal } = new AbortController();
    const job = { signal, progress: () => {} };
    const identity = await generateIdentity();
    const recipients = [await identityToRecipient(identity)];
    const growth = await growthOf(async () => {
      await backUp({ ...job, databaseUrl: source.url, store, target: fileTarget(out), recipients });
      await restore({
        ...job,
        databaseUrl: target.url,
        store: { ...store, get: async () => null },
        source: createReadStream(out),
        identities: [identity],
        opens: () => true,
      });
    });
    expect(put.bytes).toBe(size);
    expect(growth).toBeLessThan(size / 2);
  });
});

const storeOf = ({ settings }: Home) =>
  serviceOf(source.database, settings).files?.store ?? raise("a home has a store");

function raise(message: string): never {
  throw new Error(message);
}

/** How much more memory than at its begin a piece of work had at most, in bytes. */
async function growthOf(run: () => Promise<void>): Promise<number> {
  // Memory that earlier tests have left free would hide a growth.
  collectGarbage();
  const before = process.memoryUsage().rss;
  let most = before;
  const timer = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), 20);
  await run().finally(() => clearInterval(timer));
  return most - before;
}

/** A server that takes connections and never answers; `asked` resolves when somebody has come since it was asked before. */
async function hangingServer(): Promise<{ url: string; asked: () => Promise<void>; close: () => void }> {
  let come = Promise.withResolvers<void>();
  const server: Server = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => come.resolve());
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    asked: async () => {
      await come.promise;
      come = Promise.withResolvers<void>();
    },
    close: () => server.close(),
  };
}
