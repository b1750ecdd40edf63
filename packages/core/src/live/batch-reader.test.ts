import type { Database } from "@kb/db";
import { expect, it } from "vitest";
import { BatchReader } from "./batch-reader.ts";

it("batches of documents with the same id in two teams are read apart, and once for each", async () => {
  let reads = 0;
  const rows = async () => {
    reads += 1;
    return [{ version: reads, clientId: "", seq: 1, author: null, kind: "session", steps: [], origins: null }];
  };
  const reader = new BatchReader({ rows } as unknown as Database);
  const versionsIn = async (teamId: string) =>
    (await reader.after({ teamId, documentId: "same" }, 0)).map(({ version }) => version);
  expect(await versionsIn("one")).toEqual([1]);
  expect(await versionsIn("other")).toEqual([2]);
  expect(await versionsIn("one")).toEqual([1]);
});
