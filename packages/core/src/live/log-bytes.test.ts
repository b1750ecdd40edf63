import { sql } from "@kb/db";
import { describe, expect, it } from "vitest";
import { sweep } from "../retention/sweep.ts";
import { callerOf, outcomeOf } from "../testing/caller.ts";
import { insertedText, LiveClient } from "../testing/live-client.ts";
import { testWorld } from "../testing/test-world.ts";

const { test, world } = await testWorld();
const editor = callerOf(world, world.people.editor);

async function opened() {
  const { id } = await editor.create({ text: "one", publish: true });
  const client = new LiveClient(world, world.people.editor, id);
  await client.open();
  return { id, client };
}

/** Makes the last batch of a log count as this many bytes. */
const setBytes = (id: string, bytes: number | null) =>
  test.database.execute(sql`UPDATE live_batches SET bytes = ${bytes}::int WHERE "teamId" = ${world.teamId}::uuid
    AND "documentId" = ${id}::uuid AND version = (SELECT max(version) FROM live_batches
      WHERE "teamId" = ${world.teamId}::uuid AND "documentId" = ${id}::uuid)`);

const headOf = async (id: string) => {
  const [head] = await test.database.rows<{ version: number; savedVersion: number }>(sql`SELECT version, "savedVersion"
    FROM live_documents WHERE "teamId" = ${world.teamId}::uuid AND "documentId" = ${id}::uuid`);
  return head;
};

describe("the bytes of a log", () => {
  it("bound a page of batches, however well they compress", async () => {
    const { id, client } = await opened();
    const length = 600_000;
    for (let round = 0; round < 2; round += 1) {
      await client.type("x".repeat(length));
      // As an earlier release stores it.
      await setBytes(id, null);
      client.version = (await client.push([{ stepType: "replace", from: 1, to: 1 + length }])).version;
    }
    const page = await client.batches(0);
    expect(page.version).toBe(4);
    expect(page.batches.map(({ version }) => version)).toEqual([1, 2, 3]);
    expect((await client.batches(3)).batches.map(({ version }) => version)).toEqual([4]);
  });

  it("that are not saved are saved before the next batch where they are more than 8 MB", async () => {
    const { id, client } = await opened();
    await client.type("a");
    await setBytes(id, 9_000_000);
    await client.type("b");
    expect(await headOf(id)).toEqual({ version: 2, savedVersion: 1 });
    expect((await editor.get(id)).text).toBe("baone");
  });

  it("since the version of a batch make it too old where they are more than 16 MB", async () => {
    const { id, client } = await opened();
    await client.type("a");
    await setBytes(id, 17_000_000);
    await editor.get(id);
    expect(await outcomeOf(client.push([insertedText(1, "b")], { base: 0 }))).toBe("too_old");
    expect(await outcomeOf(client.push([insertedText(1, "b")], { base: 1 }))).toBe("done");
  });

  it("that are saved and lie more than 16 MB back are removed", async () => {
    const { id, client } = await opened();
    await client.type("a");
    await client.type("b");
    await setBytes(id, 17_000_000);
    await client.type("c");
    await editor.get(id);
    await sweep(world.service, { trashRetentionDays: 0 });
    expect(await outcomeOf(client.batches(1))).toBe("too_old");
    expect((await client.batches(2)).batches).toHaveLength(1);
  });
});
