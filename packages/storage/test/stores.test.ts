import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { type S3Server, startS3Server } from "@kb/testing/s3-server";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { folderStore } from "../src/folder.ts";
import { makeFolder } from "../src/make-folder.ts";
import { s3Store } from "../src/s3.ts";
import { openFiles, requireKeyPair, StorageVariables } from "../src/settings.ts";
import type { FileStore } from "../src/store.ts";
import { expectedAuthorization } from "./expected-authorization.ts";

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

  it("names the folder that cannot be created, also below /proc, which refuses every folder as missing", async () => {
    const put = folderStore("/proc/kb/files").put("team/four/a", chunks(randomBytes(1)), "image/png");
    await expect(put).rejects.toThrow("mkdir '/proc/kb'");
  });

  it("is not made where a file is in the way, which the error names", async () => {
    const file = join(folder, "a-file");
    writeFileSync(file, "");
    await expect(makeFolder(file)).rejects.toThrow(`EEXIST: file already exists, mkdir '${file}'`);
    await expect(makeFolder(join(file, "below"))).rejects.toThrow(/not a directory, mkdir '.*a-file\/below'/);
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

const keyPair = { accessKeyId: "key", secretAccessKey: "secret of the key" };

function storeAt(url: string): FileStore {
  const settings = StorageObject.parse({
    S3_BUCKET: "wiki",
    S3_ENDPOINT: url,
    S3_ACCESS_KEY_ID: keyPair.accessKeyId,
    S3_SECRET_ACCESS_KEY: keyPair.secretAccessKey,
    S3_PREFIX: "kb/attachments",
  });
  return openFiles(settings, "unused").store;
}

/** Starts a server that answers everything, and notes the requests, and which of them are not signed with the key pair. */
async function startSigned() {
  const requests: string[] = [];
  const unsigned: string[] = [];
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    const name = request.url?.includes("list-type") ? "LIST" : (request.method ?? "");
    requests.push(name);
    const { authorization } = request.headers;
    if (authorization === undefined || authorization !== expectedAuthorization(request, body, keyPair))
      unsigned.push(name);
    const key = "<Contents><Key>kb/attachments/team/signed/a</Key></Contents>";
    response.writeHead(200, { etag: '"1"', "content-type": "application/xml" });
    response.end(name === "LIST" ? `<ListBucketResult>${key}</ListBucketResult>` : "");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { server, url: `http://127.0.0.1:${portOf(server)}`, requests, unsigned };
}

function portOf(server: Server): number {
  const address: AddressInfo | string | null = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

describe("a store in a bucket of a real S3 server", () => {
  let server: S3Server;
  let store: FileStore;
  beforeAll(async () => {
    server = await startS3Server(["wiki"]);
    store = storeAt(server.url);
  });
  afterAll(() => server.close());

  it("signs every request", { meta: { proves: ["decision.attachments.storage"] } }, async () => {
    const { server: signed, url, requests, unsigned } = await startSigned();
    const bucket = storeAt(url);
    await bucket.put("team/signed/a", chunks(randomBytes(100_000)), "image/png");
    await taken(await bucket.get("team/signed/a", { start: 10, end: 19 }));
    await bucket.removeBelow("team/signed");
    signed.closeAllConnections();
    signed.close();
    expect(new Set(requests)).toEqual(new Set(["PUT", "GET", "LIST", "DELETE"]));
    expect(unsigned).toEqual([]);
  });

  behavesAsAStore(() => store);

  it("keeps its keys below the prefix", async () => {
    const keys = await server.keys("wiki");
    expect(keys).toContain("kb/attachments/team/one/a");
    for (const key of keys) expect(key).toMatch(/^kb\/attachments\/team\//);
  });

  it("reports an unreachable server as an error, not as a missing file", async () => {
    const away = createServer().listen(0, "127.0.0.1");
    await once(away, "listening");
    const port = portOf(away);
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
