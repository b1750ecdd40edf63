import { setTimeout as pause } from "node:timers/promises";
import { sql } from "@kb/db";
import { afterAll, describe, expect, it } from "vitest";
import { invoke, operations } from "../index.ts";
import { callerOf, outcomeOf } from "../testing/caller.ts";
import { inApp, insertedText, LiveClient } from "../testing/live-client.ts";
import { otherInstance } from "../testing/other-instance.ts";
import { testWorld } from "../testing/test-world.ts";
import { claimLog } from "./claim-log.ts";

const { test, world } = await testWorld();
const other = otherInstance(test.url, world.service.appUrl);
afterAll(() => other.close());
const { editor, admin } = world.people;
const rest = callerOf(world, admin);

const paragraphs = Array.from({ length: 1_500 }, (_, index) => `Paragraph ${index} of a large page.`).join("\n\n");

async function opened(text: string) {
  const { id } = await callerOf(world, editor).create({ text, publish: true });
  const client = new LiveClient(world, editor, id);
  await client.open();
  return { id, client };
}

const isClaimed = async (id: string): Promise<boolean> => {
  const [row] = await test.database.rows<{ isClaimed: boolean }>(sql`SELECT "claimedUntil" IS NOT NULL AS "isClaimed"
    FROM live_documents WHERE "teamId" = ${world.teamId}::uuid AND "documentId" = ${id}::uuid`);
  return row?.isClaimed === true;
};

describe("a change of a large body", () => {
  it("is made while somebody types on another instance without a pause, and nothing of theirs is lost", {
    timeout: 120_000,
  }, async () => {
    const { id, client } = await opened(paragraphs);
    let isTyping = true;
    const typed: string[] = [];
    const typing = (async () => {
      while (isTyping) {
        const text = `[${typed.length}]`;
        const batch = client.batch([insertedText(1, text)]);
        const outcome = await outcomeOf(other.invoke("live.push", inApp(editor), batch));
        expect(["done", "unavailable"]).toContain(outcome);
        if (outcome === "done") {
          typed.push(text);
          client.seq += 1;
        }
        await pause(10);
      }
    })();
    await expect.poll(() => typed.length, { timeout: 30_000 }).toBeGreaterThan(2);
    for (let index = 0; index < 3; index += 1) {
      await rest.edit(id, { op: "append", markdown: `appended ${index}` });
      const before = typed.length;
      await expect.poll(() => typed.length, { timeout: 30_000 }).toBeGreaterThan(before);
    }
    await rest.restoreRevision(id, 1);
    isTyping = false;
    await typing;
    const { batches } = await client.batches();
    expect(batches.filter(({ kind }) => kind === "api_key")).toHaveLength(4);
    expect(batches.filter(({ kind }) => kind === "session").map(({ seq }) => seq)).toEqual(
      typed.map((_, index) => index + 1),
    );
    expect(await isClaimed(id)).toBe(false);
  });

  it("keeps batches waiting for at most 10 seconds, and a retry of a stored one for none", async () => {
    const { id, client } = await opened("one");
    const stored = client.batch([insertedText(1, "a")]);
    const answer = await client.send(stored);
    client.seq += 1;
    const claimUntil = (seconds: number) =>
      test.database.execute(sql`UPDATE live_documents SET "claimedUntil" = now() + ${seconds} * interval '1 s'
        WHERE "teamId" = ${world.teamId}::uuid AND "documentId" = ${id}::uuid`);
    await claimUntil(10);
    const next = client.batch([insertedText(1, "b")]);
    await expect(client.send(next)).rejects.toMatchObject({ code: "unavailable", retryAfterSeconds: 1 });
    expect(await client.send(stored)).toEqual(answer);
    await claimUntil(-1);
    expect(await client.send(next)).toMatchObject({ version: 2 });
  });
});

it("a change of the body by somebody who may only read is refused before anything is saved or claimed", async () => {
  const { id: collectionId } = await rest.createCollection({ name: "To read" });
  await invoke(world.service, operations.setDefaultAccess, inApp(admin), { id: collectionId, defaultAccess: "read" });
  const { id } = await rest.create({ collectionId, text: "one", publish: true });
  const client = new LiveClient(world, admin, id);
  await client.open();
  await client.type("typed ");
  const reader = callerOf(world, editor);
  expect(await outcomeOf(reader.edit(id, { op: "append", markdown: "x" }))).toBe("forbidden");
  expect(await outcomeOf(reader.update(id, { text: "x" }))).toBe("forbidden");
  const heads = await test.database.rows(sql`SELECT version, "savedVersion", "claimedUntil" FROM live_documents
    WHERE "teamId" = ${world.teamId}::uuid AND "documentId" = ${id}::uuid`);
  expect(heads).toEqual([{ version: 1, savedVersion: 0, claimedUntil: null }]);
});

it("the end of a claim leaves a later one alone", async () => {
  const { id } = await opened("one");
  const claim = () => claimLog(test.database, { teamId: world.teamId, documentId: id });
  const endFirst = await claim();
  const endSecond = await claim();
  await endFirst();
  expect(await isClaimed(id)).toBe(true);
  await endSecond();
  expect(await isClaimed(id)).toBe(false);
});
