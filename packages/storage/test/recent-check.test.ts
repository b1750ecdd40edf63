import { startS3Server } from "@kb/testing/s3-server";
import { expect, it } from "vitest";
import { z } from "zod";
import { recentCheck } from "../src/recent-check.ts";
import { openFiles, StorageVariables } from "../src/settings.ts";

it("an answer is at most 30 s old, those who ask at once wait for one check, and the next one begins before they have to", async () => {
  let now = 0;
  let checks = 0;
  let fails = true;
  const isWorking = recentCheck(
    async () => {
      checks += 1;
      if (fails) throw new Error("connection refused");
    },
    () => now,
  );
  expect(await Promise.all([isWorking(), isWorking()])).toEqual([false, false]);
  fails = false;
  now = 15_000;
  expect([await isWorking(), checks]).toEqual([false, 1]);
  now = 15_001;
  expect([await isWorking(), checks]).toEqual([false, 2]);
  await expect.poll(isWorking).toBe(true);
  expect(checks).toBe(2);
  fails = true;
  now = 45_002;
  expect([await isWorking(), checks]).toEqual([false, 3]);
});

it("a bucket works while it stores, returns and removes a file; a folder has nothing to ask", async () => {
  const read = (variables: object) => z.object(StorageVariables).parse(variables);
  const server = await startS3Server(["wiki"]);
  const bucket = {
    S3_BUCKET: "wiki",
    S3_ENDPOINT: server.url,
    S3_ACCESS_KEY_ID: "key",
    S3_SECRET_ACCESS_KEY: "secret of the key",
  };
  const open = (variables: object) => openFiles(read(variables), "/missing").store;
  expect(await open(bucket).isWorking?.()).toBe(true);
  expect(await open({ ...bucket, S3_BUCKET: "another" }).isWorking?.()).toBe(false);
  await server.close();
  expect(await open(bucket).isWorking?.()).toBe(false);
  expect(open({}).isWorking).toBeUndefined();
});
