import { callerOf, createWorld, testSecret, type World } from "@kb/core/testing";
import { sql } from "@kb/db";
import { type TestDatabase, testDatabase } from "@kb/db/testing";
import type { BuiltApp } from "@kb/testing/built-program";
import { afterAll, beforeAll, expect, it } from "vitest";
import { LiveWriter, origin, postAs } from "./live-writer.ts";
import { type ServiceProcess, startProcess } from "./service-process.ts";

/** Each kills one instance; every second one kills the worker too. */
const kills = Number(process.env.KB_LIVE_KILLS ?? 4);

let base: TestDatabase;
let world: World;
const running: ServiceProcess[] = [];
let environment: Record<string, string>;

beforeAll(async () => {
  base = await testDatabase();
  world = await createWorld(base.database);
  environment = { DATABASE_URL: base.url, APP_URL: origin, PORT: "0", APP_SECRET: testSecret };
  running.push(...(await Promise.all([start("api"), start("api"), start("worker")])));
});
afterAll(async () => {
  await Promise.all(running.map(({ end }) => end("SIGTERM")));
  await base?.drop();
});

const start = (app: BuiltApp): Promise<ServiceProcess> => startProcess(environment, app);

/** Kills a process, and starts another one in its place. */
async function replace(place: number, app: BuiltApp): Promise<void> {
  await running[place]?.end("SIGKILL");
  running[place] = await start(app);
}

type Batch = { readonly clientId: string; readonly seq: number };

it("while four people type, instances and the worker are killed: each acknowledged batch is in the log and the text once", {
  meta: { proves: ["live.failure.instance-killed"] },
  timeout: 300_000,
}, async () => {
  const { admin, editor } = world.people;
  const { id } = await callerOf(world, editor).create({ text: "start", publish: true });
  const instances = () => running.slice(0, 2).map(({ url }) => url);
  const writers = await Promise.all(
    [admin, editor, admin, editor].map(
      async (person, index) => new LiveWriter("abcd".charAt(index), await postAs(world, person, instances)),
    ),
  );
  const writing = writers.map((writer) => writer.write(id));
  // A failure is reported by the last line.
  for (const one of writing) one.catch(() => {});
  const acknowledged = (): number => writers.reduce((sum, writer) => sum + writer.acknowledged.length, 0);
  for (let kill = 0; kill < kills; kill += 1) {
    const before = acknowledged();
    await expect.poll(acknowledged, { timeout: 60_000 }).toBeGreaterThan(before + 8);
    await Promise.all([replace(kill % 2, "api"), ...(kill % 2 === 0 ? [replace(2, "worker")] : [])]);
  }
  for (const writer of writers) writer.stop();
  await Promise.all(writing);

  const log = await base.database.rows<Batch>(sql`SELECT "clientId", seq FROM live_batches
    WHERE "teamId" = ${world.teamId}::uuid AND "documentId" = ${id}::uuid AND kind = 'session' ORDER BY version`);
  const { text } = await callerOf(world, editor).get(id);
  for (const { clientId, acknowledged: pieces } of writers) {
    const numbers = log.filter((batch) => batch.clientId === clientId).map(({ seq }) => seq);
    expect(numbers).toEqual(pieces.map((_, index) => index + 1));
    for (const piece of pieces) expect(text?.split(piece).length, piece).toBe(2);
  }
  expect(log).toHaveLength(acknowledged());
  const retries = writers.reduce((sum, writer) => sum + writer.retries, 0);
  console.info(`live editing: ${kills} kills, ${acknowledged()} batches acknowledged, ${retries} sent again`);
});
