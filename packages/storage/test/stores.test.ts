import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import S3rver from "@20minutes/s3rver";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { folderStore } from "../src/folder.ts";
import { s3Store } from "../src/s3.ts";
import { openFiles, requireKeyPair, StorageVariables } from "../src/settings.ts";
import type { FileStore } from "../src/store.ts";

const folder = mkdtempSync(join(tmpdir(), "kb-storage-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function* chunks(bytes: Uint8Array, size = 64 * 1024): AsyncGenerator<Uint8Array> {
  for (let offset = 0; offset < bytes.byteLength; offset += size) yield bytes.subarray(offset, offset + size);
}

async function* cutOff(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield* chunks(bytes);
  throw new Error("the client hung up");
}

async function taken(bytes: AsyncIterable<Uint8Array> | null): Promise<Buffer | null> {
  if (bytes === null) return null;
  const all: Uint8Array[] = [];
  for await (const chunk of bytes) all.push(chunk);
  return Buffer.concat(all);
}

/** Tests that every store has to pass. */
function behavesAsAStore(open: () => FileStore): void {
  it("returns stored bytes or a range of them, and null for a missing key", async () => {
    const store = open();
    const bytes = randomBytes(300_000);
    await store.put("team/one/a", chunks(bytes), "application/octet-stream");
    expect((await taken(await store.get("team/one/a")))?.equals(bytes)).toBe(true);
    const part = await taken(await store.get("team/one/a", { start: 100_000, end: 100_009 }));
    expect(part?.equals(bytes.subarray(100_000, 100_010))).toBe(true);
    expect(await store.get("team/one/b")).toBeNull();
    expect(await store.get("team/one/a/deeper")).toBeNull();
    expect(await store.get("team/one")).toBeNull();
  });

  it("returns an upload of several parts and of unknown length", async () => {
    const store = open();
    const bytes = randomBytes(12 * 1024 * 1024);
    await store.put("team/large/a", chunks(bytes), "video/mp4");
    expect((await taken(await store.get("team/large/a")))?.equals(bytes)).toBe(true);
  });

  it("stores nothing of an interrupted upload, small or large", async () => {
    const store = open();
    for (const size of [1_000, 11 * 1024 * 1024]) {
      await expect(store.put("team/cut/a", cutOff(randomBytes(size)), "image/png")).rejects.toThrow("hung up");
      expect(await store.get("team/cut/a")).toBeNull();
    }
  });

  it("removes everything below a prefix and nothing next to it", async () => {
    const store = open();
    for (const key of ["team/two/a", "team/two/b", "team/twofold/a"]) {
      await store.put(key, chunks(randomBytes(10)), "image/png");
    }
    await store.removeBelow("team/two");
    expect(await store.get("team/two/a")).toBeNull();
    expect(await store.get("team/twofold/a")).not.toBeNull();
    await store.removeBelow("team/never");
  });

  it("removes one of several attempts by its key", async () => {
    const store = open();
    for (const key of ["team/three/a", "team/three/b"]) await store.put(key, chunks(randomBytes(10)), "image/png");
    await store.removeBelow("team/three/a");
    expect(await store.get("team/three/a")).toBeNull();
    expect(await store.get("team/three/b")).not.toBeNull();
  });

  it("rejects a key that could lead outside the store", async () => {
    const store = open();
    for (const key of ["../etc/passwd", "/etc/passwd", "a//b", "a/../b", "a\\b", "", "a/", "ü", "a\u0000"]) {
      await expect((async () => store.get(key))(), key).rejects.toThrow("not a key");
      await expect((async () => store.put(key, chunks(randomBytes(1)), "x/y"))(), key).rejects.toThrow("not a key");
      await expect((async () => store.removeBelow(key))(), key).rejects.toThrow("not a key");
    }
  });
}

describe("a store in a folder", () => {
  const root = join(folder, "files");
  behavesAsAStore(() => folderStore(root));

  it("leaves no file of an interrupted upload", () => {
    expect(readdirSync(root, { recursive: true, encoding: "utf8" }).filter((path) => path.includes("cut"))).toEqual([]);
    expect(readdirSync(join(root, ".unfinished"))).toEqual([]);
  });

  it("removes half-written files of killed processes a day later", async () => {
    const drafts = join(root, ".unfinished");
    await mkdir(drafts, { recursive: true });
    const old = join(drafts, "old");
    const young = join(drafts, "young");
    for (const path of [old, young]) writeFileSync(path, "half");
    const yesterday = Date.now() / 1000 - 25 * 60 * 60;
    utimesSync(old, yesterday, yesterday);
    await folderStore(root).put("team/four/a", chunks(randomBytes(1)), "image/png");
    expect(readdirSync(drafts)).toEqual(["young"]);
  });

  it("is in the data folder if the settings name no bucket", {
    meta: { proves: ["decision.attachments.storage"] },
  }, async () => {
    const settings = StorageObject.parse({});
    const { store, maxBytes } = openFiles(settings, join(folder, "data"));
    await store.put("team/a", chunks(Buffer.from("x")), "image/png");
    expect(readdirSync(join(folder, "data", "files"))).toContain("team");
    expect(maxBytes).toBe(25 * 1024 * 1024);
  });
});

function bucketServer(options: { allowMismatchedSignatures?: boolean }): S3rver {
  const directory = join(folder, `s3-${options.allowMismatchedSignatures === true ? "lax" : "strict"}`);
  const configureBuckets = [{ name: "wiki" }];
  return new S3rver({ port: 0, address: "127.0.0.1", silent: true, directory, configureBuckets, ...options });
}

function storeAt(port: number): FileStore {
  const settings = StorageObject.parse({
    S3_BUCKET: "wiki",
    S3_ENDPOINT: `http://127.0.0.1:${port}`,
    S3_ACCESS_KEY_ID: "S3RVER",
    S3_SECRET_ACCESS_KEY: "S3RVER",
    S3_PREFIX: "kb/attachments",
  });
  return openFiles(settings, "unused").store;
}

describe("a store in a bucket of a real S3 server", () => {
  // This server reckons the signature of a listing (`/wiki/?…`) without its slash; all others it holds the client to.
  const server = bucketServer({ allowMismatchedSignatures: true });
  const strict = bucketServer({});
  let store: FileStore;
  let signed: FileStore;
  beforeAll(async () => {
    store = storeAt((await server.run()).port);
    signed = storeAt((await strict.run()).port);
  });
  afterAll(async () => {
    await Promise.all([server.close(), strict.close()]);
  });

  it("signs its requests", { meta: { proves: ["decision.attachments.storage"] } }, async () => {
    const bytes = randomBytes(100_000);
    await signed.put("team/signed/a", chunks(bytes), "image/png");
    const part = await taken(await signed.get("team/signed/a", { start: 10, end: 19 }));
    expect(part?.equals(bytes.subarray(10, 20))).toBe(true);
  });

  behavesAsAStore(() => store);

  it("keeps its keys below the prefix", () => {
    const found = readdirSync(join(folder, "s3-lax", "wiki", "kb", "attachments", "team"));
    expect(found).toContain("one");
  });

  it("reports an unreachable server as an error, not as a missing file", async () => {
    const away = createServer().listen(0, "127.0.0.1");
    await once(away, "listening");
    const address: AddressInfo | string | null = away.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    await new Promise((resolve) => away.close(resolve));
    const credentials = { accessKeyId: "a", secretAccessKey: "b" };
    const lost = s3Store({ bucket: "wiki", region: "us-east-1", endpoint: `http://127.0.0.1:${port}`, credentials });
    await expect(lost.get("team/one/a")).rejects.toThrow();
    await expect(lost.put("team/one/a", chunks(randomBytes(10)), "image/png")).rejects.toThrow();
  });
});

const StorageObject = z.object(StorageVariables).superRefine(requireKeyPair);

describe("the settings", () => {
  it("reject an access key without its secret", () => {
    const result = StorageObject.safeParse({ S3_ACCESS_KEY_ID: "a" });
    expect(result.error?.issues.map(({ path }) => path.join("."))).toEqual(["S3_SECRET_ACCESS_KEY"]);
  });
});
