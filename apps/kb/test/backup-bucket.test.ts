import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { invoke, operations } from "@kb/core";
import { createWorld, type World } from "@kb/core/testing";
import { type TestDatabase, testDatabase } from "@kb/db/testing";
import { api } from "@kb/http/testing";
import { generateIdentity, identityToRecipient } from "age-encryption";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { serviceOf } from "../src/access.ts";
import { type BucketRequest, type BucketServer, startBucketServer } from "./bucket-server.ts";
import { allRows } from "./everything.ts";
import { withFlippedBit } from "./flipped-bit.ts";
import { type Home, makeHome } from "./process.ts";

const program = fileURLToPath(new URL("../src/main.ts", import.meta.url));
const databases: TestDatabase[] = [];
let bucket: BucketServer;
let source: TestDatabase;
let home: Home;
let world: World;
let variables: Record<string, string>;

beforeAll(async () => {
  bucket = await startBucketServer();
  source = await anyDatabase();
  const identity = await generateIdentity();
  variables = {
    DATABASE_URL: source.url,
    BACKUP_TO: "s3://safe/kb/prod",
    BACKUP_RECIPIENTS: await identityToRecipient(identity),
    BACKUP_S3_ENDPOINT: bucket.url,
    BACKUP_S3_ACCESS_KEY_ID: "key",
    BACKUP_S3_SECRET_ACCESS_KEY: "secret",
    APP_SECRET: "the secret of an installation that is a test",
  };
  home = await makeHome(variables);
  writeFileSync(join(home.folder, "key.txt"), `# created: today\n# public key: …\n${identity}\n`);
  writeFileSync(join(home.folder, "other.txt"), await generateIdentity());
  world = await createWorld(source.database);
  const service = { ...world.service, files: serviceOf(source.database, home.settings).files };
  // Two parts of an upload, because random bytes stay as large as they are.
  const bytes = Buffer.concat(
    Array.from({ length: 640 }, (_, n) => createHash("shake256", { outputLength: 32_768 }).update(`${n}`).digest()),
  );
  const documentId = world.documents.guide.id;
  await invoke(service, operations.attachBytes, world.people.editor.actor, { name: "noise.bin", bytes, documentId });
}, 60_000);

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

const names = (): string[] => [...bucket.objects.keys()].filter((key) => key.endsWith(".age")).sort();
const newest = (): string => names().at(-1) ?? "";

describe("kb backup --to", { timeout: 120_000 }, () => {
  it("stores an encrypted object and its checksum, and a service on its restore serves the same data", {
    meta: { proves: ["decision.running.kb-backup", "decision.running.kb-restore"] },
  }, async () => {
    const summary = await home.json(["backup"]);
    expect(summary).toMatchObject({ file: `s3://safe/${newest()}`, attachments: 1, missing: [], removed: [] });
    const stored = bucket.objects.get(newest());
    expect(stored?.subarray(0, 21).toString()).toBe("age-encryption.org/v1");
    const sum = createHash("sha256")
      .update(stored ?? "")
      .digest("hex");
    expect(bucket.objects.get(`${newest()}.sha256`)?.toString()).toBe(`${sum}  ${newest().slice("kb/prod/".length)}\n`);
    expect(bucket.uploads()).toEqual([]);

    const target = await anyDatabase();
    const other = await makeHome({ ...variables, DATABASE_URL: target.url });
    const identity = join(home.folder, "key.txt");
    const restored = await other.json(["restore", "--from", "s3://safe/kb/prod", "--identity", identity]);
    expect(restored).toMatchObject({ file: `s3://safe/${newest()}`, attachments: 1, secretFits: null });
    expect(await allRows(target.database)).toEqual(await allRows(source.database));
    await other.start();
    const client = api(other.url, world.people.editor.key);
    const guide = await client.get(`/api/v1/documents/${world.documents.guide.id}`);
    expect(guide.status).toBe(200);
    await other.remove();
  });

  it("keeps the newest complete backups, and removes the parts of a killed one", async () => {
    for (let count = 0; count < 2; count += 1) await home.json(["backup", "--keep", "2"]);
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
    const { removed } = await home.json(["backup", "--keep", "2"]);
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
      const refused = await home.refusal(["backup", "--keep", "1"]);
      bucket.answer(kind, undefined);
      expect(refused).toMatchObject({ code: "bucket_failed", error: expect.stringContaining(code) });
      expect(refused.error).toContain("s3://safe/kb/prod/kb-");
      expect(bucket.uploads(), code).toEqual([]);
      expect([...bucket.objects.keys()], code).toEqual(before);
    }
  });

  it("is stored where the key may neither remove nor list uploads, and says that older ones stay", async () => {
    bucket.answer("remove", "AccessDenied");
    bucket.answer("list uploads", "AccessDenied");
    const before = names();
    const refused = await home.refusal(["backup", "--keep", "1"]);
    expect(refused).toMatchObject({ code: "not_rotated", error: expect.stringContaining("is complete, but") });
    expect(names()).toHaveLength(before.length + 1);
    expect(await home.json(["backup"])).toMatchObject({ removed: [] });
  });

  it("does not store without encryption unless it is told to, nor with a key that is mistyped or private", async () => {
    const none = { BACKUP_RECIPIENTS: "" };
    expect(await home.refusal(["backup"], none)).toMatchObject({
      code: "usage",
      error: expect.stringContaining("age-keygen"),
    });
    const mistyped = variables.BACKUP_RECIPIENTS?.replace(/.$/, "") ?? "";
    expect(await home.refusal(["backup", "--recipient", mistyped])).toMatchObject({ code: "usage" });
    const secret = await generateIdentity();
    const refused = await home.refusal(["backup"], { BACKUP_RECIPIENTS: secret });
    expect(refused).toMatchObject({
      code: "invalid_environment",
      error: expect.stringContaining("contains a private key"),
    });
    const named = await home.refusal(["backup", "--recipient", secret]);
    for (const { error } of [refused, named]) expect(error).not.toContain(secret.slice(20));
    const plain = await home.json(["backup", "--no-encryption", "--to", "s3://safe/plain"], none);
    expect(plain.file).toMatch(/^s3:\/\/safe\/plain\/kb-\d{8}T\d{9}Z\.tar\.gz$/);
    const { url } = await anyDatabase();
    expect(await home.json(["restore", "--from", "s3://safe/plain"], { DATABASE_URL: url })).toMatchObject({
      attachments: 1,
    });
  });
});

describe("kb restore --from", { timeout: 120_000 }, () => {
  it("explains a missing or wrong key, and a backup that was changed, cut off or is missing", async () => {
    const { url } = await anyDatabase();
    const whole = bucket.objects.get(newest()) ?? Buffer.alloc(0);
    const refusal = (from: string, ...more: string[]) =>
      home.refusal(["restore", "--from", from, ...more], { DATABASE_URL: url });
    const key = ["--identity", "key.txt"];
    expect((await refusal(`s3://safe/${newest()}`)).error).toContain(
      "name the file of its private key with --identity",
    );
    expect((await refusal(`s3://safe/${newest()}`, "--identity", "other.txt")).error).toContain("for another key");
    expect((await refusal("s3://safe/kb/prod", "--identity", "none.txt")).code).toBe("usage");
    expect((await refusal("s3://safe/elsewhere", ...key)).error).toContain(
      "no complete backup below s3://safe/elsewhere",
    );
    const bad = "kb/prod/kb-20200101T000000000Z.tar.gz.age";
    for (const bytes of [
      whole.subarray(0, 300_000),
      whole.subarray(0, -1),
      withFlippedBit(whole, 5_000),
      whole.subarray(0, 100),
    ]) {
      bucket.objects.set(bad, bytes);
      expect(await refusal(`s3://safe/${bad}`, ...key)).toMatchObject({
        code: "bad_backup",
        error: expect.stringContaining("is damaged"),
      });
    }
    bucket.objects.delete(bad);
  });

  it("distinguishes a connection that breaks and a refusal from a damaged backup, and leaves no rows", async () => {
    const target = await anyDatabase();
    const args = ["restore", "--from", "s3://safe/kb/prod", "--identity", "key.txt"];
    for (const [kind, how, said] of [
      ["get", "cut off", "read it to its end"],
      ["get", "AccessDenied", "AccessDenied"],
      ["list", "AccessDenied", "list backups"],
    ] as const) {
      bucket.answer(kind, how);
      const refused = await home.refusal(args, { DATABASE_URL: target.url });
      bucket.answer(kind, undefined);
      expect(refused).toMatchObject({ code: "bucket_failed", error: expect.stringContaining(said) });
    }
    expect(await home.json(args, { DATABASE_URL: target.url })).toMatchObject({ attachments: 1 });
  });
});

describe("kb doctor", { timeout: 60_000 }, () => {
  it("checks the place of backups, and the age of the newest one", async () => {
    const backups = async (environment: Record<string, string> = {}): Promise<unknown> => {
      const { stdout } = await home.kb(["doctor", "--json"], environment);
      const { findings }: { findings: { name: string }[] } = JSON.parse(stdout);
      return findings.filter(({ name }) => name === "backups");
    };
    const keep = { BACKUP_KEEP: "7" };
    expect(await backups(keep)).toEqual([
      { name: "backups", state: "ok", message: expect.stringContaining("the newest of 20") },
    ]);
    expect(await backups({ BACKUP_TO: "s3://safe/new", BACKUP_RECIPIENTS: "" })).toMatchObject([
      { state: "warn", message: expect.stringContaining("there is none in s3://safe/new yet") },
      { state: "warn", message: expect.stringContaining("BACKUP_RECIPIENTS is not set") },
    ]);
    bucket.answer("remove", "AccessDenied");
    expect(await backups(keep)).toMatchObject([{ state: "fail", message: expect.stringContaining("AccessDenied") }]);
    expect(await backups()).toMatchObject([{ state: "ok" }]);
  });
});
