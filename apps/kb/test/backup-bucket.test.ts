import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { invoke, operations } from "@kb/core";
import { createWorld, type World } from "@kb/core/testing";
import { type TestDatabase, testDatabase } from "@kb/db/testing";
import { api } from "@kb/http/testing";
import { openFiles } from "@kb/storage";
import { builtProgram } from "@kb/testing/built-program";
import { generateIdentity, identityToRecipient } from "age-encryption";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { serviceOf } from "../src/access.ts";
import { backUp } from "../src/backup/backup.ts";
import { bucketTarget } from "../src/backup/bucket-target.ts";
import { readIdentities, requireRecipients } from "../src/backup/encryption.ts";
import { openBackups } from "../src/backup/open-backups.ts";
import { restore } from "../src/backup/restore.ts";
import { bucketSource } from "../src/backup/source.ts";
import { backupsFindings } from "../src/doctor/backups.ts";
import type { Settings } from "../src/env.ts";
import { type BucketRequest, type BucketServer, startBucketServer } from "./bucket-server.ts";
import { allRows } from "./everything.ts";
import { type Home, makeHome } from "./process.ts";

const program = await builtProgram("kb");
const databases: TestDatabase[] = [];
let bucket: BucketServer;
let source: TestDatabase;
let home: Home;
let world: World;
let identity: string;
let recipient: string;
let variables: Record<string, string>;

beforeAll(async () => {
  bucket = await startBucketServer();
  source = await anyDatabase();
  identity = await generateIdentity();
  recipient = await identityToRecipient(identity);
  variables = {
    DATABASE_URL: source.url,
    BACKUP_TO: "s3://safe/kb/prod",
    BACKUP_RECIPIENTS: recipient,
    BACKUP_S3_ENDPOINT: bucket.url,
    BACKUP_S3_ACCESS_KEY_ID: "key",
    BACKUP_S3_SECRET_ACCESS_KEY: "secret",
    APP_SECRET: "the secret of an installation that is a test",
  };
  home = await makeHome(variables);
  writeFileSync(join(home.folder, "key.txt"), `# created: today\n# public key: …\n${identity}\n`);
  world = await createWorld(source.database);
  const service = { ...world.service, files: serviceOf(source.database, home.settings).files };
  // Two parts of an upload, because random bytes stay as large as they are.
  const bytes = Buffer.concat(
    Array.from({ length: 320 }, (_, n) => createHash("shake256", { outputLength: 32_768 }).update(`${n}`).digest()),
  );
  const documentId = world.documents.guide.id;
  await invoke(service, operations.attachBytes, world.people.editor.actor, { name: "noise.bin", bytes, documentId });
});

afterEach(() => {
  for (const kind of kinds) bucket.answer(kind, undefined);
});

afterAll(async () => {
  await home?.remove();
  for (const database of databases) await database.drop();
  await bucket?.stop();
});

const kinds: BucketRequest[] = ["put", "get", "list", "remove", "put part", "complete upload", "list uploads"];

async function anyDatabase(): Promise<TestDatabase> {
  const database = await testDatabase();
  databases.push(database);
  return database;
}

/** For requests that get no answer; each is tried three times. */
const silenceMs = 2_000;

/** Stores a backup as the command does, in this process. */
function stored(keep: number | undefined, signal = new AbortController().signal, withFiles = true, limits = {}) {
  const { settings } = home;
  const address = { bucket: "safe", path: "kb/prod" };
  const plan = { bucket: openBackups(settings, address, { signal, ...limits }), address, isEncrypted: true, keep };
  const files = openFiles(settings.storage, settings.dataDir).store;
  const store = withFiles ? files : { ...files, get: async () => null };
  const job = { databaseUrl: source.url, store, recipients: [recipient], signal, progress: () => {} };
  return backUp({ ...job, target: bucketTarget(plan) });
}

/** Restores a backup as the command does, in this process. */
async function restored(databaseUrl: string, path: string, identities: readonly string[], limits = {}) {
  const { settings } = home;
  const { signal } = new AbortController();
  const address = { bucket: "safe", path };
  const { bytes } = await bucketSource(openBackups(settings, address, { signal, ...limits }), address, signal);
  const { store } = openFiles(settings.storage, settings.dataDir);
  const job = { databaseUrl, store, source: bytes, identities, signal, progress: () => {}, opens: () => true };
  return restore(job);
}

const errorOf = (failing: Promise<unknown>): Promise<Error> =>
  failing.then(
    () => Promise.reject(new Error("it did not fail")),
    (error: Error) => error,
  );

const names = (): string[] => [...bucket.objects.keys()].filter((key) => key.endsWith(".age")).sort();
const newest = (): string => names().at(-1) ?? "";

describe("kb backup --to", { timeout: 120_000 }, () => {
  it("stores an encrypted object and its checksum, and a service on its restore serves the same data", {
    meta: { proves: ["decision.running.kb-backup", "decision.running.kb-restore"] },
  }, async () => {
    const summary = await home.json(["backup"]);
    expect(summary).toMatchObject({ file: `s3://safe/${newest()}`, attachments: 1, missing: [], removed: [] });
    const object = bucket.objects.get(newest());
    expect(object?.subarray(0, 21).toString()).toBe("age-encryption.org/v1");
    const sum = createHash("sha256")
      .update(object ?? "")
      .digest("hex");
    expect(bucket.objects.get(`${newest()}.sha256`)?.toString()).toBe(`${sum}  ${newest().slice("kb/prod/".length)}\n`);
    expect(bucket.uploads()).toEqual([]);

    const target = await anyDatabase();
    const other = await makeHome({ ...variables, DATABASE_URL: target.url });
    const key = join(home.folder, "key.txt");
    const answer = await other.json(["restore", "--from", "s3://safe/kb/prod", "--identity", key]);
    expect(answer).toMatchObject({ file: `s3://safe/${newest()}`, attachments: 1, secretFits: null });
    expect(await allRows(target.database)).toEqual(await allRows(source.database));
    await other.start();
    const client = api(other.url, world.people.editor.key);
    const guide = await client.get(`/api/v1/documents/${world.documents.guide.id}`);
    expect(guide.status).toBe(200);
    await other.remove();
  });

  it("keeps the newest complete backups, and removes the parts of a killed one", async () => {
    await home.json(["backup", "--keep", "2"]);
    const before = names();
    const asked = Promise.withResolvers<void>();
    bucket.answer("put part", () => {
      asked.resolve();
      return new Promise(() => {});
    });
    const child = spawn(process.execPath, [program, "backup"], {
      cwd: home.folder,
      env: { ...variables, PATH: process.env.PATH, HOME: home.folder },
      stdio: "ignore",
    });
    await asked.promise;
    child.kill("SIGKILL");
    await new Promise((ended) => child.once("close", ended));
    expect(names()).toEqual(before);
    expect(bucket.uploads()).toHaveLength(1);
    bucket.answer("put part", undefined);
    const { removed } = await stored(2);
    expect(bucket.uploads()).toEqual([]);
    expect(names()).toEqual([before.at(-1), newest()]);
    expect(removed).toEqual(before.slice(0, -1).map((key) => key.slice("kb/prod/".length)));
    expect([...bucket.objects.keys()]).toHaveLength(4);
  });

  it("stores nothing if a part, the end or the space is refused, and names the bucket and the reason", async () => {
    const before = [...bucket.objects.keys()];
    const refusals = [
      ["put part", "AccessDenied"],
      ["complete upload", "AccessDenied"],
      ["put part", "QuotaExceeded"],
    ] as const;
    for (const [kind, code] of refusals) {
      bucket.answer(kind, code);
      const refused = await errorOf(stored(1));
      bucket.answer(kind, undefined);
      expect(refused).toMatchObject({ code: "bucket_failed", message: expect.stringContaining(code) });
      expect(refused.message).toContain("s3://safe/kb/prod/kb-");
      expect(bucket.uploads(), code).toEqual([]);
      expect([...bucket.objects.keys()], code).toEqual(before);
    }
  });

  it("ends at a signal without a part left, also in the middle of an upload", async () => {
    const before = [...bucket.objects.keys()];
    const abort = new AbortController();
    bucket.answer("put part", async () => abort.abort());
    await expect(stored(1, abort.signal)).rejects.toThrow();
    expect(bucket.uploads()).toEqual([]);
    expect([...bucket.objects.keys()]).toEqual(before);
  });

  it("ends soon at a signal while the bucket does not answer, without a part left", async () => {
    const before = [...bucket.objects.keys()];
    const abort = new AbortController();
    const asked = Promise.withResolvers<void>();
    bucket.answer("put part", () => {
      asked.resolve();
      return new Promise(() => {});
    });
    const ended = errorOf(stored(1, abort.signal));
    await asked.promise;
    const startedAt = performance.now();
    abort.abort();
    await ended;
    // Far sooner than the limit of the part.
    expect(performance.now() - startedAt).toBeLessThan(20_000);
    expect(bucket.uploads()).toEqual([]);
    expect([...bucket.objects.keys()]).toEqual(before);
  });

  it("fails at a bucket that becomes silent, and says so", async () => {
    bucket.answer("list", "silent");
    expect(await errorOf(stored(undefined, undefined, true, { silenceMs }))).toMatchObject({
      code: "bucket_failed",
      message: expect.stringContaining("no answer within 2 s"),
    });
    bucket.answer("list", undefined);
    // It is in the bucket without its checksum, so it does not count.
    const [last = ""] = names().slice(-1);
    bucket.objects.delete(last);
  });

  it("says that the backup is complete if it is interrupted while older ones are removed", async () => {
    const abort = new AbortController();
    const before = names();
    bucket.answer("remove", async () => {
      abort.abort();
      await new Promise(() => {});
    });
    const refused = await errorOf(stored(1, abort.signal));
    expect(refused).toMatchObject({ code: "not_rotated" });
    expect(refused.message).toMatch(/is complete, but: the removal of older ones was interrupted/);
    expect(names()).toEqual([...before, newest()]);
  });

  it("is stored where the key may neither remove nor list uploads, and says that older ones stay", async () => {
    bucket.answer("remove", "AccessDenied");
    bucket.answer("list uploads", "AccessDenied");
    const before = names();
    const refused = await errorOf(stored(1));
    expect(refused).toMatchObject({ code: "not_rotated", message: expect.stringContaining("is complete, but") });
    expect(names()).toHaveLength(before.length + 1);
    expect((await stored(undefined)).removed).toEqual([]);
  });

  it("removes no older backup after one from another store of attachments, and says what to set", async () => {
    const before = names();
    const refused = await errorOf(stored(1, undefined, false));
    expect(refused).toMatchObject({ code: "not_rotated", message: expect.stringContaining("S3_* or KB_DATA_DIR") });
    expect(names()).toEqual([...before, newest()]);
  });

  it("does not remove what it has just stored where the names of others are of a later time", async () => {
    const later = "kb-29990101T000000000Z.tar.gz.age";
    for (const name of [later, `${later}.sha256`]) bucket.objects.set(`kb/prod/${name}`, Buffer.from("x"));
    await stored(1);
    const own = names().filter((key) => !key.endsWith(later));
    expect(own).toHaveLength(1);
    for (const name of [later, `${later}.sha256`]) bucket.objects.delete(`kb/prod/${name}`);
  });

  it("does not store without encryption unless it is told to, nor with a key that is mistyped or private", async () => {
    const none = { BACKUP_RECIPIENTS: "" };
    const unset = await home.refusal(["backup"], none);
    expect(unset).toMatchObject({ code: "usage", error: expect.stringContaining("age-keygen") });
    expect(await errorOf(requireRecipients([recipient.replace(/.$/, "")]))).toMatchObject({ code: "usage" });
    const secret = await generateIdentity();
    const { message: named } = await errorOf(requireRecipients([secret]));
    const { error: set } = await home.refusal(["backup"], { BACKUP_RECIPIENTS: secret });
    expect(set).toContain("contains a private key");
    for (const said of [named, set]) expect(said).not.toContain(secret.slice(20));
    const both = await home.refusal(["backup", "--no-encryption", "--recipient", recipient]);
    expect(both).toMatchObject({ code: "usage", error: expect.stringContaining("use one of them") });
    const plain = await home.json(["backup", "--no-encryption", "--to", "s3://safe/plain"], none);
    expect(plain.file).toMatch(/^s3:\/\/safe\/plain\/kb-\d{8}T\d{9}Z\.tar\.gz$/);
    const { url } = await anyDatabase();
    expect(await restored(url, "plain", [])).toMatchObject({ attachments: 1 });
  });
});

describe("kb backup --out", { timeout: 60_000 }, () => {
  it("encrypts the file for BACKUP_RECIPIENTS unless it is told not to, and says which", async () => {
    const { stdout } = await home.kb(["backup", "--out", "whole.age"]);
    expect(readFileSync(join(home.folder, "whole.age")).subarray(0, 21).toString()).toBe("age-encryption.org/v1");
    expect(stdout).toContain("Encrypted for a public key: only its private key opens it.");
    const { recipients } = await home.json(["backup", "--out", "plain.tar.gz", "--no-encryption"]);
    expect(recipients).toBe(0);
    expect(readFileSync(join(home.folder, "plain.tar.gz")).subarray(0, 2)).toEqual(Buffer.from([0x1f, 0x8b]));
  });
});

describe("kb restore --from", { timeout: 120_000 }, () => {
  it("explains a missing or wrong key, and a backup that was changed, cut off or is missing", async () => {
    const { url } = await anyDatabase();
    const whole = bucket.objects.get(newest()) ?? Buffer.alloc(0);
    const messageOf = async (path: string, identities: readonly string[]): Promise<string> =>
      (await errorOf(restored(url, path, identities))).message;
    expect(await messageOf(newest(), [])).toContain("name the file of its private key with --identity");
    expect(await messageOf(newest(), [await generateIdentity()])).toContain("for another key");
    expect(await messageOf("elsewhere", [identity])).toContain("no complete backup below s3://safe/elsewhere");
    const bad = "kb/prod/kb-20200101T000000000Z.tar.gz.age";
    const changed = Buffer.from(whole);
    changed.writeUInt8(changed.readUInt8(5_000) ^ 1, 5_000);
    for (const bytes of [whole.subarray(0, 300_000), whole.subarray(0, -1), whole.subarray(0, 100), changed]) {
      bucket.objects.set(bad, bytes);
      expect(await messageOf(bad, [identity])).toContain("is damaged");
    }
    bucket.objects.delete(bad);
    expect(await errorOf(readIdentities(join(home.folder, "none.txt")))).toMatchObject({ code: "usage" });
  });

  it("distinguishes a connection that breaks and a refusal from a damaged backup, and leaves no rows", async () => {
    const { url } = await anyDatabase();
    for (const [kind, how, said] of [
      ["get", "cut off", "read it to its end"],
      ["get", "silent", "no more bytes for 2 s"],
      ["list", "silent", "no answer within 2 s"],
      ["get", "AccessDenied", "AccessDenied"],
      ["list", "AccessDenied", "list backups"],
    ] as const) {
      bucket.answer(kind, how);
      const limits = how === "silent" ? { silenceMs } : {};
      const refused = await errorOf(restored(url, "kb/prod", [identity], limits));
      bucket.answer(kind, undefined);
      expect(refused).toMatchObject({ code: "bucket_failed", message: expect.stringContaining(said) });
    }
    expect(await restored(url, "kb/prod", [identity])).toMatchObject({ attachments: 1 });
  });
});

describe("kb doctor", { timeout: 60_000 }, () => {
  it("checks the place of backups, and the age of the newest one", async () => {
    const check = (changes: Partial<Settings["backups"]>) =>
      backupsFindings({ ...home.settings, backups: { ...home.settings.backups, ...changes } });
    const keep = { BACKUP_KEEP: 7 };
    expect(await check(keep)).toEqual([
      { name: "backups", state: "ok", message: expect.stringContaining("the newest of 20") },
    ]);
    expect(await check({ BACKUP_TO: "s3://safe/new", BACKUP_RECIPIENTS: [] })).toMatchObject([
      { state: "warn", message: expect.stringContaining("there is none in s3://safe/new yet") },
      { state: "warn", message: expect.stringContaining("BACKUP_RECIPIENTS is not set") },
    ]);
    bucket.answer("remove", "AccessDenied");
    expect(await check(keep)).toMatchObject([{ state: "fail", message: expect.stringContaining("AccessDenied") }]);
    expect(await check({})).toMatchObject([{ state: "ok" }]);
    bucket.answer("list", "AccessDenied");
    expect(await check({})).toMatchObject([{ state: "fail" }]);
  });
});
