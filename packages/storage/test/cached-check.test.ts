import { once } from "node:events";
import { createServer } from "node:http";
import { startS3Server } from "@kb/testing/s3-server";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { cachedCheck } from "../src/cached-check.ts";
import { openFiles, StorageVariables } from "../src/settings.ts";

/** A check that the test settles, and the answers of its cache so far. */
function controlledCheck() {
  const begun: PromiseWithResolvers<void>[] = [];
  const changes: (string | undefined)[] = [];
  const succeeds = cachedCheck(
    () => {
      const check = Promise.withResolvers<void>();
      begun.push(check);
      return check.promise;
    },
    (error) => changes.push(error?.message),
  );
  return { begun, changes, succeeds };
}

const pass = (seconds: number): Promise<unknown> => vi.advanceTimersByTimeAsync(seconds * 1_000);

/** Returns an answer that takes at most half a second. */
async function soon(answer: Promise<boolean>): Promise<boolean> {
  await pass(0.5);
  return answer;
}

describe("a cached check", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }));
  afterEach(() => void vi.useRealTimers());

  it("is waited for once by all who ask first, and is run again in the background after 15 s", async () => {
    const { begun, succeeds } = controlledCheck();
    const first = [succeeds(), succeeds()];
    await pass(3);
    begun[0]?.resolve();
    expect(await Promise.all(first)).toEqual([true, true]);
    await pass(12);
    expect([await succeeds(), begun.length]).toEqual([true, 1]);
    await pass(0.1);
    expect([await succeeds(), await succeeds(), begun.length]).toEqual([true, true, 2]);
    begun[1]?.reject(new Error("refused"));
    await pass(0);
    expect([await succeeds(), begun.length]).toEqual([false, 2]);
  });

  it("that is slow and succeeds is a success for probes a minute apart", async () => {
    const { begun, changes, succeeds } = controlledCheck();
    const first = succeeds();
    await pass(10);
    begun[0]?.resolve();
    expect(await first).toBe(true);
    for (const round of [1, 2, 3]) {
      await pass(60);
      expect(await soon(succeeds())).toBe(true);
      await pass(10);
      begun[round]?.resolve();
    }
    expect([begun.length, changes]).toEqual([4, []]);
  });

  it("that has an answer soon tells probes a minute apart at once of a failure, and of the end of it", async () => {
    const { begun, changes, succeeds } = controlledCheck();
    const first = succeeds();
    begun[0]?.resolve();
    expect(await first).toBe(true);
    await pass(60);
    const second = succeeds();
    begun[1]?.reject(new Error("refused"));
    expect(await soon(second)).toBe(false);
    await pass(60);
    const third = succeeds();
    begun[2]?.resolve();
    expect(await soon(third)).toBe(true);
    expect(changes).toEqual(["refused", undefined]);
  });

  it("is a failure after 20 s, and a success after all if it ends well", async () => {
    const { begun, changes, succeeds } = controlledCheck();
    const first = succeeds();
    begun[0]?.resolve();
    await first;
    await pass(40);
    expect(await soon(succeeds())).toBe(true);
    await pass(18);
    expect(await soon(succeeds())).toBe(true);
    await pass(1);
    expect(await succeeds()).toBe(false);
    begun[1]?.resolve();
    await pass(0);
    expect(await succeeds()).toBe(true);
    expect([begun.length, changes]).toEqual([3, ["no answer within 20 s", undefined]]);
  });

  it("that never ends is given up after 60 s: the next one begins, and a late failure counts for nothing", async () => {
    const { begun, changes, succeeds } = controlledCheck();
    const first = succeeds();
    await pass(59);
    expect([await soon(succeeds()), begun.length]).toEqual([false, 1]);
    await pass(1);
    expect(await first).toBe(false);
    const next = succeeds();
    expect(begun).toHaveLength(2);
    begun[1]?.resolve();
    expect(await soon(next)).toBe(true);
    begun[0]?.reject(new Error("too late"));
    await pass(0);
    expect([await succeeds(), changes]).toEqual([true, ["no answer within 20 s", undefined]]);
  });
});

const read = (variables: object) => z.object(StorageVariables).parse(variables);
const bucketAt = (url: string) => ({
  S3_BUCKET: "wiki",
  S3_ENDPOINT: url,
  S3_ACCESS_KEY_ID: "key",
  S3_SECRET_ACCESS_KEY: "secret of the key",
});

/** Starts a server that answers every request with an error of S3, and notes the methods. */
async function startRefusing(status: number, code: string) {
  const methods: string[] = [];
  const server = createServer((request, response) => {
    methods.push(request.method ?? "");
    response.writeHead(status, { "content-type": "application/xml" });
    response.end(`<Error><Code>${code}</Code><Message>As it says</Message></Error>`);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
  return { url, methods, close: () => void server.close().closeAllConnections() };
}

describe("the check of a store", () => {
  it("succeeds for a bucket that can be read; a folder has nothing to ask", async () => {
    const server = await startS3Server(["wiki"]);
    const problems: (string | undefined)[] = [];
    const open = (variables: object) =>
      openFiles(read(variables), "/missing", (error) => problems.push(error?.name)).store;
    expect(await open(bucketAt(server.url)).isWorking?.()).toBe(true);
    expect(problems).toEqual([]);
    expect(await open({ ...bucketAt(server.url), S3_BUCKET: "another" }).isWorking?.()).toBe(false);
    expect(problems).toEqual(["NoSuchBucket"]);
    await server.close();
    expect(await open(bucketAt(server.url)).isWorking?.()).toBe(false);
    expect(problems).toHaveLength(2);
    expect(open({}).isWorking).toBeUndefined();
  });

  it.each([
    ["succeeds", "is missing", 404, "NoSuchKey", true],
    ["fails", "must not be read, as to those who may not list the bucket", 403, "AccessDenied", false],
  ])("only reads, and %s if the store says that the file %s", async (_result, _answer, status, code, works) => {
    const server = await startRefusing(status, code);
    expect(await openFiles(read(bucketAt(server.url)), "/missing").store.isWorking?.()).toBe(works);
    expect(server.methods).toEqual(["GET"]);
    server.close();
  });
});
