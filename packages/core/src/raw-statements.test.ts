import { authenticateApiKey, authenticateSession } from "@kb/auth";
import { callerOf, statementLog } from "@kb/core/testing";
import { newId } from "@kb/db";
import { expect, it } from "vitest";
import * as operations from "./operations.ts";
import { testWorld } from "./testing/test-world.ts";

const log = statementLog();
const { test, world } = await testWorld({}, { onQuery: log.onQuery });

/** Prisma names the schema of each table, which no raw statement does. */
const ofModels = (statements: readonly string[]): string[] => statements.filter((text) => text.includes('"public"."'));

it("usual requests run raw statements only, so that a process need not load Prisma's client", async () => {
  const { editor } = world.people;
  const key = await world.key(editor, ["read", "write"]);
  const session = await world.session(editor);
  const later = new Date(world.service.clock.now().getTime() + 120_000);
  const statements = await log.during(async () => {
    await authenticateApiKey(test.database, key, later);
    await authenticateSession(test.database, session.token, later);
    const { run } = callerOf(world, key);
    const { id: collectionId } = await run(operations.createCollection, { name: "Usual" });
    const idempotency = { key: newId(), requestHash: new Uint8Array(32) };
    const created = { collectionId, title: "Usual", text: "A text", publish: true, tags: ["usual"] };
    const { id } = await run(operations.createDocument, created, { idempotency });
    await run(operations.createTag, { name: "other" });
    await run(operations.updateDocument, { id, title: "Renamed", tags: ["usual", "other"] });
    await run(operations.editDocument, { id, op: "append", markdown: "More" });
    await run(operations.getDocument, { id });
    await run(operations.listDocuments, { limit: 25 });
    await run(operations.searchDocuments, { query: "text" });
    await run(operations.deleteDocument, { id });
  });
  expect(statements.some((text) => text.startsWith("UPDATE api_keys"))).toBe(true);
  expect(ofModels(statements)).toEqual([]);
  const { client } = test.database;
  expect(ofModels(await log.during(() => client.team.findMany({ where: { id: newId() } })))).toHaveLength(1);
});
