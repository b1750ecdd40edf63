import { sql } from "@kb/db";
import { describe, expect, it } from "vitest";
import { callerOf } from "../testing/caller.ts";
import { insertedText, LiveClient } from "../testing/live-client.ts";
import { testWorld } from "../testing/test-world.ts";
import { saveDueDocuments } from "./due-checkpoints.ts";

const { test, world } = await testWorld();
const editor = callerOf(world, world.people.editor);
const admin = callerOf(world, world.people.admin);

async function clientsOf(count: number, text: string) {
  const { id } = await editor.create({ text, publish: true });
  const clients = Array.from({ length: count }, () => new LiveClient(world, world.people.editor, id));
  for (const client of clients) await client.open();
  return { id, clients };
}

/** Each number in brackets that occurs in a text, sorted. */
const pieces = (text: string | null): number[] =>
  [...(text ?? "").matchAll(/\[(\d+)\]/g)].map(([, number]) => Number(number)).sort((one, other) => one - other);

/** Returns how many connections wait for a lock. */
async function waitingForLock(): Promise<number> {
  const [row] = await test.database.acrossTeams.rows<{ waiting: number }>(sql`SELECT count(*)::int AS waiting
    FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`);
  return row?.waiting ?? 0;
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

describe("at the same time", () => {
  it("50 people type into one paragraph: each batch is in the log once, and its text in the document once", async () => {
    const { id, clients } = await clientsOf(50, "start");
    const answers = await Promise.all(clients.map((client, index) => client.push([insertedText(1, `[${index}]`)])));
    const versions = answers.map(({ version }) => version).sort((one, other) => one - other);
    expect(versions).toEqual(upTo(50).map((index) => index + 1));
    expect(pieces((await editor.get(id)).text)).toEqual(upTo(50));
    expect((await editor.get(id)).revision).toBe(2);
  });

  it("lesson 1: the log is read after the wait for its lock, so that no two instances take the same version", async () => {
    const { id, clients } = await clientsOf(1, "start");
    const [client] = clients;
    if (client === undefined) throw new Error("a client is open");
    const key = sql`"teamId" = ${world.teamId}::uuid AND "documentId" = ${id}::uuid`;
    let answer: Promise<unknown> | undefined;
    // Another instance has the lock, and writes a batch while this one waits.
    await test.database.transaction(async (tx) => {
      await tx.rows(
        sql`SELECT 1 FROM documents WHERE "teamId" = ${world.teamId}::uuid AND id = ${id}::uuid FOR UPDATE`,
      );
      answer = client.push([insertedText(1, "[1]")]);
      await expect.poll(waitingForLock, { timeout: 20_000 }).toBe(1);
      await tx.execute(sql`INSERT INTO live_batches ("teamId", "documentId", version, "clientId", seq, kind, at, steps, origins, "authorId")
        VALUES (${world.teamId}::uuid, ${id}::uuid, 1, ${crypto.randomUUID()}::uuid, 1, 'session', now(),
          ${JSON.stringify([insertedText(1, "[0]")])}::jsonb, '{}', ${world.people.editor.actor.userId}::uuid)`);
      await tx.execute(
        sql`UPDATE live_documents SET version = 1, "unsavedSince" = now(), "lastBatchAt" = now() WHERE ${key}`,
      );
    });
    expect(await answer).toMatchObject({ version: 2 });
    expect(pieces((await editor.get(id)).text)).toEqual([0, 1]);
    expect((await client.batches()).batches.map(({ version }) => version)).toEqual([1, 2]);
  });

  it("one batch is sent ten times: it is accepted once, and each answer is the same", async () => {
    const { id, clients } = await clientsOf(1, "start");
    const [client] = clients;
    const batch = client?.batch([insertedText(1, "[0]")]) ?? {};
    const answers = await Promise.all(upTo(10).map(() => client?.send(batch)));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(pieces((await editor.get(id)).text)).toEqual([0]);
  });

  it("people type, an assistant appends, the worker saves and readers read: nothing is lost, and the body is the log", async () => {
    const { id, clients } = await clientsOf(8, "start");
    const typists = clients.map(async (client, index) => {
      for (const round of upTo(5)) await client.type(`[${index * 5 + round}]`);
    });
    const appends = upTo(6).map((index) => admin.edit(id, { op: "append", markdown: `[${40 + index}]` }));
    const reads = upTo(10).map(() => editor.get(id));
    const renames = upTo(3).map((index) => admin.update(id, { title: `Title ${index}` }));
    await Promise.all([...typists, ...appends, ...reads, ...renames, saveDueDocuments(world.service)]);
    expect(pieces((await editor.get(id)).text)).toEqual(upTo(46));
    const [head] = await test.database.rows(sql`SELECT version, "savedVersion", "unsavedSince" FROM live_documents
      WHERE "teamId" = ${world.teamId}::uuid AND "documentId" = ${id}::uuid`);
    expect(head).toEqual({ version: 46, savedVersion: 46, unsavedSince: null });
  });

  it("a large document is saved up to a version while others type on", async () => {
    const text = upTo(1_500)
      .map((index) => `Paragraph ${index} of a large page.`)
      .join("\n\n");
    const { id, clients } = await clientsOf(3, text);
    const typists = clients.map(async (client, index) => {
      for (const round of upTo(4)) await client.type(`[${index * 4 + round}]`);
    });
    await Promise.all([...typists, editor.get(id), admin.edit(id, { op: "append", markdown: "[12]" })]);
    expect(pieces((await editor.get(id)).text)).toEqual(upTo(13));
  });
});

describe("a writer that knows no log, such as an earlier release", () => {
  const writeBody = (id: string) =>
    test.database.execute(sql`UPDATE document_bodies SET content = content, markdown = 'written' WHERE "teamId" = ${world.teamId}::uuid
      AND "documentId" = ${id}::uuid`);

  it("waits while text is only in the log", async () => {
    const { id, clients } = await clientsOf(1, "start");
    await clients[0]?.type("[0]");
    await expect(writeBody(id)).rejects.toThrow("the database is not available");
    expect((await editor.get(id)).text).toBe("[0]start");
  });

  it("ends a log whose text is saved", async () => {
    const { id, clients } = await clientsOf(1, "start");
    await clients[0]?.type("[0]");
    await editor.get(id);
    await writeBody(id);
    await expect(clients[0]?.type("[1]")).rejects.toMatchObject({ code: "lineage_changed" });
  });
});
