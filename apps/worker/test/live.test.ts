import { invoke, operations } from "@kb/core";
import { LiveClient } from "@kb/core/testing";
import { sql } from "@kb/db";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openSetting, type Setting } from "./setting.ts";

let setting: Setting;
beforeAll(async () => {
  setting = await openSetting();
});
afterAll(() => setting.close());

it("a worker that stops saves all text of live editing, after the last request", async () => {
  const { world, work } = setting;
  const { database } = world.service;
  const { admin } = world.people;
  const input = { collectionId: world.collections.open, text: "one", publish: true };
  const { id } = await invoke(world.service, operations.createDocument, admin.actor, input);
  const client = new LiveClient(world, admin, id);
  await client.open();
  const worker = work();
  const lastRequest = Promise.withResolvers<void>();
  const closed = worker.close(lastRequest.promise);
  await client.type("typed");
  lastRequest.resolve();
  await closed;
  const [row] = await database.rows<{ text: string }>(sql`SELECT text FROM document_bodies
    WHERE "teamId" = ${world.teamId}::uuid AND "documentId" = ${id}::uuid`);
  expect(row?.text).toContain("typed");
});
