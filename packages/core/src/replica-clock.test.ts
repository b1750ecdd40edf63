import {
  callerOf,
  createWorld,
  operationNamed,
  operationNames,
  type Scene,
  setScene,
  statementLog,
} from "@kb/core/testing";
import { raw, sql } from "@kb/db";
import { type TestDatabase, testDatabase } from "@kb/db/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cleanUpAttachments } from "./attachments/clean-up.ts";
import { exportCollection } from "./export/export.ts";
import { invoke } from "./invoke.ts";
import { permitBodyChange } from "./live/live-log.ts";
import { sweepLogs } from "./live/sweep-logs.ts";
import { attachBytes } from "./operations.ts";
import { insertedText, LiveClient } from "./testing/live-client.ts";
import { changingCaller, changingInput } from "./testing/matrix/changing-call.ts";

/** The vocabulary is read from the primary (`replacementsOf`); a search reads it only if it finds nothing. */
const readFromPrimary = new Set(["search_terms"]);
const changing = operationNames.filter((name) => operationNamed(name).changes);
const onReplicas = operationNames.filter((name) => operationNamed(name).readsReplica === true);
/** Inputs that reach every table of these operations. */
const inputs: Readonly<Record<string, (scene: Scene) => readonly object[]>> = {
  "app.search": ({ collectionId }) => [{ query: "subject", collectionId, tag: "guide", status: "published" }],
  "assistants.search": ({ collectionId }) => [{ query: '"the subject"', collectionId, tag: "guide", lang: "en" }],
  "documents.search": ({ collectionId }) => [{ query: "subject", collectionId, tag: ["guide"] }, { query: "nothing" }],
  "collections.export": ({ collectionId: id }) => [{ id }, { id, format: "html" }],
};

const log = statementLog();
let test: TestDatabase;
let scene: Scene;
let tables: readonly string[];

beforeAll(async () => {
  test = await testDatabase({ onQuery: log.onQuery });
  scene = await setScene(await createWorld(test.database));
  tables = await tablesOnReplicas();
  await noteUnstamped();
});
afterAll(() => test?.drop());

/** Returns the tables of teams that the operations on replicas read, as a person and as a restricted key. */
async function tablesOnReplicas(): Promise<string[]> {
  await scene.document();
  const callers = [scene.inApp, scene.world.people.viewer.actor, await restrictedCaller()];
  const statements = await log.during(async () => {
    for (const name of onReplicas) {
      for (const actor of operationNamed(name).sessionOnly === true ? [scene.inApp] : callers)
        for (const input of inputs[name]?.(scene) ?? []) await readAll(name, actor, input);
    }
  });
  const named = statements.flatMap((text) =>
    [...text.matchAll(/\b(?:FROM|JOIN) ([a-z_]+)/g)].map(([, table]) => table),
  );
  const columns = await test.database.acrossTeams.rows<{ name: string }>(sql`SELECT table_name AS name
    FROM information_schema.columns WHERE column_name = 'teamId' AND table_schema = 'public'`);
  return columns
    .map(({ name }) => name)
    .filter((name) => named.includes(name) && name !== "team_clocks" && !readFromPrimary.has(name))
    .toSorted();
}

async function restrictedCaller() {
  const restrictions = { collections: { [scene.collectionId]: "read" as const } };
  return scene.world.actorOf(await scene.world.key(scene.world.people.admin, ["read"], { restrictions }));
}

async function readAll(name: string, actor: Scene["inApp"], input: object): Promise<void> {
  if (name !== "collections.export") {
    await invoke(scene.world.service, operationNamed(name), actor, input);
    return;
  }
  const { files } = await invoke(scene.world.service, exportCollection, actor, input);
  for (const file of files) await file.open();
}

/**
 * Lets PostgreSQL note, at each commit, the changed rows whose transaction took no stamp of their team's clock. An export leaves out
 * attachments that are not ready: their bytes are still to come, or they were deleted.
 */
async function noteUnstamped(): Promise<void> {
  const { execute } = test.database.acrossTeams;
  await execute(sql`CREATE TABLE unstamped (place text)`);
  await execute(sql`CREATE FUNCTION note_unstamped() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF NOT EXISTS (SELECT 1 FROM team_clocks c WHERE c.xmin = pg_current_xact_id()::xid
      AND c."teamId" = CASE TG_OP WHEN 'DELETE' THEN OLD."teamId" ELSE NEW."teamId" END)
      AND NOT (TG_TABLE_NAME = 'attachments'
        AND 'ready' NOT IN (COALESCE(to_jsonb(OLD) ->> 'status', ''), COALESCE(to_jsonb(NEW) ->> 'status', '')))
    THEN INSERT INTO unstamped VALUES (lower(TG_OP) || ' ' || TG_TABLE_NAME); END IF;
    RETURN NULL; END $$`);
  for (const table of tables)
    await execute(sql`CREATE CONSTRAINT TRIGGER note_unstamped AFTER INSERT OR UPDATE OR DELETE ON ${raw(table)}
      DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION note_unstamped()`);
}

/** Returns the unstamped changes that some work committed. */
async function unstampedDuring(work: () => Promise<unknown>): Promise<string[]> {
  const { rows, execute } = test.database.acrossTeams;
  await execute(sql`TRUNCATE unstamped`);
  await work();
  return (await rows<{ place: string }>(sql`SELECT DISTINCT place FROM unstamped ORDER BY 1`)).map(
    ({ place }) => place,
  );
}

it("what a replica may show is in these tables", () => {
  expect(onReplicas.toSorted()).toEqual(Object.keys(inputs).toSorted());
  const known = [
    "api_key_collections",
    "attachments",
    "collection_grants",
    "collections",
    "document_bodies",
    "documents",
    "tags",
  ];
  expect(tables).toEqual(expect.arrayContaining(known));
});

it("a change without a stamp is noticed", async () => {
  const { teamId } = scene.world;
  const change = () => test.database.execute(sql`UPDATE documents SET emoji = '🐟' WHERE "teamId" = ${teamId}::uuid`);
  expect(await unstampedDuring(change)).toEqual(["update documents"]);
});

it.each(changing)(
  "%s takes a stamp of the team's clock when it changes what a replica may show",
  { meta: { proves: ["decision.running.replica-stamps"] } },
  async (name) => {
    const actor = await changingCaller(scene, name);
    const input = await changingInput(scene, name);
    expect(await unstampedDuring(() => invoke(scene.world.service, operationNamed(name), actor, input))).toEqual([]);
    await scene.archiveCollection(false);
  },
);

describe("work beside the operations takes a stamp of the team's clock when it changes what a replica may show", () => {
  const proves = { meta: { proves: ["decision.running.replica-stamps"] } } as const;
  const later = (days: number) => {
    const at = new Date(Date.now() + days * 24 * 60 * 60 * 1000);
    return { ...scene.world.service, clock: { now: () => at } };
  };

  it("a checkpoint that changes the content, but not its Markdown", proves, async () => {
    const { world } = scene;
    const { teamId, people } = world;
    const editor = callerOf(world, people.editor);
    const { id } = await editor.create({ text: "one", publish: true });
    const client = new LiveClient(world, people.editor, id);
    await client.open();
    // As an earlier release may have stored it.
    const stored = sql`UPDATE document_bodies SET content = content || '{"former": 1}'
      WHERE "teamId" = ${teamId}::uuid AND "documentId" = ${id}::uuid`;
    await test.database.transaction(async (tx) => {
      permitBodyChange(tx, id);
      await tx.execute(stored);
    });
    await client.push([insertedText(1, "a"), { stepType: "replace", from: 1, to: 2 }]);
    expect(await unstampedDuring(() => editor.get(id))).toEqual([]);
    const [body] = await test.database.rows(sql`SELECT content ? 'former' AS "isFormer", markdown FROM document_bodies
      WHERE "teamId" = ${teamId}::uuid AND "documentId" = ${id}::uuid`);
    expect(body).toEqual({ isFormer: false, markdown: "one\n" });
  });

  it("the end of a log of live editing", proves, async () => {
    const editor = callerOf(scene.world, scene.world.people.editor);
    const { id } = await editor.create({ text: "one", publish: true });
    await new LiveClient(scene.world, scene.world.people.editor, id).open();
    expect(await unstampedDuring(() => sweepLogs(later(3)))).toEqual([]);
    expect((await editor.get(id)).collaborativeId).toBeNull();
  });

  it("the clean-up that assigns a file to the document that mentions it", proves, async () => {
    const { service, people } = scene.world;
    const file = { name: "file.txt", contentType: "text/plain", bytes: new Uint8Array(Buffer.from("file")) };
    const { url } = await invoke(service, attachBytes, people.editor.actor, file);
    await callerOf(scene.world, people.editor).create({ text: `[file](${url})`, publish: true });
    const unstamped = await unstampedDuring(async () => {
      expect((await cleanUpAttachments(later(8))).adopted).toBeGreaterThan(0);
    });
    expect(unstamped).toEqual([]);
  });
});
