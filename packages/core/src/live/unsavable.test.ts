import { DatabaseUnavailableError, sql } from "@kb/db";
import { describe, expect, it } from "vitest";
import { callerOf, outcomeOf } from "../testing/caller.ts";
import { insertedText, LiveClient } from "../testing/live-client.ts";
import { testWorld } from "../testing/test-world.ts";
import { saveDueDocuments, saveUnsavedDocuments } from "./due-checkpoints.ts";

const clock = { time: new Date(), now: () => clock.time };
const { test, world } = await testWorld({ clock });
const editor = callerOf(world, world.people.editor);
const wait = (minutes: number): void => {
  clock.time = new Date(clock.time.getTime() + minutes * 60_000);
};

async function typed(input: object = {}) {
  const { id } = await editor.create({ text: "one", publish: true, ...input });
  const client = new LiveClient(world, world.people.editor, id);
  await client.open();
  await client.type("zero ");
  return { id, client };
}

const nested = (depth: number): object =>
  depth === 0 ? { type: "paragraph" } : { type: "blockquote", content: [nested(depth - 1)] };
const refused = [{ stepType: "replace", from: 0, to: 0, slice: { content: [nested(500)] } }];
const unreadable = [{ stepType: "explode" }];

/** Returns a document whose newest batch was accepted, but cannot be saved: no process has kept the document after it. */
async function unsavable(steps: readonly object[], input?: object) {
  const document = await typed(input);
  await test.database.execute(sql`UPDATE live_batches SET steps = ${JSON.stringify(steps)}::jsonb,
      at = at + interval '1 ms'
    WHERE "teamId" = ${world.teamId}::uuid AND "documentId" = ${document.id}::uuid`);
  return document;
}

const eventsOf = async (id: string): Promise<string[]> => {
  const rows = await test.database.rows<{ type: string }>(sql`SELECT type FROM events
    WHERE "teamId" = ${world.teamId}::uuid AND "documentId" = ${id}::uuid ORDER BY sequence`);
  return rows.map(({ type }) => type);
};

describe.each([
  ["is refused", refused, /cannot be saved: .+ Delete a part of it in the editor, then try again/],
  ["cannot be replayed", unreadable, /cannot be read now. Try again later/],
])("a document whose log %s", (_name, steps, advice) => {
  it("is read as it is saved", async () => {
    const { id } = await unsavable(steps);
    expect(await editor.get(id)).toMatchObject({ text: "one", revision: 1 });
  });

  it("can be renamed, tagged, moved, archived, deleted and restored", async () => {
    const { id } = await unsavable(steps);
    const parent = await editor.create({ publish: true });
    await editor.update(id, { title: "Renamed", tags: ["tagged"], parentDocumentId: parent.id });
    await editor.archive(id);
    await editor.unarchive(id);
    await editor.delete(id);
    await editor.restore(id);
    expect(await editor.get(id)).toMatchObject({ title: "Renamed", text: "one", parentDocumentId: parent.id });
  });

  it("takes no other body, with an error that tells what to do", async () => {
    const { id } = await unsavable(steps);
    const change = editor.update(id, { text: "two" });
    await expect(change).rejects.toMatchObject({ name: "ServiceError", message: expect.stringMatching(advice) });
    expect((await editor.get(id)).text).toBe("one");
  });
});

describe("live editing of a document that cannot be saved", () => {
  it("goes on for five minutes, and then takes only deletions", async () => {
    const { id, client } = await unsavable(refused);
    await client.push([insertedText(1003, "a")]);
    wait(6);
    client.version = 2;
    const growth = client.push([insertedText(1003, "b")]);
    await expect(growth).rejects.toMatchObject({
      code: "payload_too_large",
      message: expect.stringContaining("Delete"),
    });
    client.version = 2;
    await client.push([{ stepType: "replace", from: 0, to: 1002 }]);
    expect((await editor.get(id)).text).toBe("aone");
  });

  it("is refused for now where its log cannot be replayed", async () => {
    const { client } = await unsavable(unreadable);
    expect(await outcomeOf(client.type("a"))).toBe("unavailable");
  });

  it("goes on after five minutes where only the worker is missing", async () => {
    const { id, client } = await typed();
    wait(6);
    await client.type("a");
    expect((await editor.get(id)).text).toBe("azero one");
  });
});

describe("the worker", () => {
  const isSaved = async (id: string): Promise<boolean> => {
    const [row] = await test.database.rows<{ isSaved: boolean }>(sql`SELECT "unsavedSince" IS NULL AS "isSaved"
      FROM live_documents WHERE "teamId" = ${world.teamId}::uuid AND "documentId" = ${id}::uuid`);
    return row?.isSaved === true;
  };

  it("saves the others, and tries a document that failed again a minute later", async () => {
    const bad = await unsavable(refused);
    wait(1);
    const good = await typed();
    wait(1);
    const first = await saveDueDocuments(world.service);
    expect(first.failed.map(({ documentId }) => documentId)).toContain(bad.id);
    expect(await isSaved(good.id)).toBe(true);
    expect(await saveDueDocuments(world.service)).toEqual({ saved: 0, failed: [] });
    wait(2);
    const later = await saveDueDocuments(world.service);
    expect(later.failed.map(({ documentId }) => documentId)).toContain(bad.id);
  });

  it("goes on after a document for which the service was not available", async () => {
    await saveDueDocuments(world.service);
    const first = await typed();
    wait(1);
    const second = await typed();
    wait(1);
    let calls = 0;
    const { database } = world.service;
    const transaction: typeof database.transaction = (run) => {
      calls += 1;
      return calls === 1 ? Promise.reject(new DatabaseUnavailableError(undefined)) : database.transaction(run);
    };
    await saveDueDocuments({ ...world.service, database: { ...database, transaction } });
    expect([await isSaved(first.id), await isSaved(second.id)]).toEqual([false, true]);
  });

  it("saves what is not due either before it stops, until it is told to stop", async () => {
    const bad = await unsavable(refused);
    const good = await typed();
    expect((await saveUnsavedDocuments(world.service, AbortSignal.abort())).saved).toBe(0);
    expect(await isSaved(good.id)).toBe(false);
    await saveUnsavedDocuments(world.service, new AbortController().signal);
    expect([await isSaved(good.id), await isSaved(bad.id)]).toEqual([true, false]);
  });
});

it("text that was typed below a document just before it was deleted is kept, and makes no event after the deletion", async () => {
  const parent = await editor.create({ publish: true });
  const { id } = await typed({ parentDocumentId: parent.id });
  await editor.delete(parent.id);
  wait(1);
  await saveDueDocuments(world.service);
  expect((await eventsOf(id)).at(-1)).toBe("document.deleted");
  await editor.restore(parent.id);
  expect((await editor.get(id)).text).toBe("zero one");
});
