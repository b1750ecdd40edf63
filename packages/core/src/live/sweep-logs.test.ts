import { sql } from "@kb/db";
import { expect, it } from "vitest";
import { sweep } from "../retention/sweep.ts";
import { callerOf, outcomeOf } from "../testing/caller.ts";
import { insertedText, LiveClient } from "../testing/live-client.ts";
import { testWorld } from "../testing/test-world.ts";

const hourMs = 60 * 60 * 1000;
const clock = { time: new Date(), now: () => clock.time };
const { test, world } = await testWorld({ clock });
const editor = callerOf(world, world.people.editor);
const wait = (hours: number): void => {
  clock.time = new Date(clock.time.getTime() + hours * hourMs);
};
const sweepAll = () => sweep(world.service, { trashRetentionDays: 0 });

async function opened() {
  const { id } = await editor.create({ text: "one", publish: true });
  const client = new LiveClient(world, world.people.editor, id);
  await client.open();
  return { id, client };
}

it("a log without a batch for 48 hours ends, and a client of it opens the document again", async () => {
  const { id, client } = await opened();
  await client.type("a");
  expect((await editor.get(id)).collaborativeId).toBe(client.lineage);
  wait(49);
  await sweepAll();
  expect(await editor.get(id)).toMatchObject({ collaborativeId: null, text: "aone" });
  expect(await outcomeOf(client.push([insertedText(1, "b")]))).toBe("lineage_changed");
  const before = client.lineage;
  expect((await client.open()).lineage).not.toBe(before);
});

it("a batch that no checkpoint has saved is kept however old it is", async () => {
  const { id, client } = await opened();
  await client.type("a");
  wait(49);
  await sweepAll();
  expect((await client.batches()).version).toBe(1);
  expect((await editor.get(id)).text).toBe("aone");
});

it("a log in use loses what is older than 48 hours, and a client from before it is too old", async () => {
  const { id, client } = await opened();
  await client.type("a");
  await editor.get(id);
  wait(49);
  await client.type("b");
  await sweepAll();
  expect(await outcomeOf(client.batches(0))).toBe("too_old");
  expect((await client.batches(1)).batches).toHaveLength(1);
  expect(await outcomeOf(client.push([insertedText(1, "c")], { base: 0 }))).toBe("too_old");
  expect((await editor.get(id)).text).toBe("baone");
});

it("a retry is answered after the log has ended, for 30 days", async () => {
  const { id, client } = await opened();
  const batch = client.batch([insertedText(1, "a")]);
  const answer = await client.send(batch);
  await editor.get(id);
  wait(49);
  await sweepAll();
  expect(await client.send(batch)).toEqual(answer);
  wait(31 * 24);
  await sweepAll();
  expect(await outcomeOf(client.send(batch))).toBe("lineage_changed");
  expect(
    await test.database.rows(sql`SELECT 1 FROM live_clients WHERE "teamId" = ${world.teamId}::uuid
    AND "documentId" = ${id}::uuid`),
  ).toEqual([]);
});
