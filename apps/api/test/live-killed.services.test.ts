import { callerOf, createWorld, testSecret, type World } from "@kb/core/testing";
import { sql } from "@kb/db";
import { type TestDatabase, testDatabase } from "@kb/db/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { LiveWriter, origin, postAs } from "./live-writer.ts";
import { type ServiceProcess, startProcess } from "./service-process.ts";

let base: TestDatabase;
let world: World;
const running: { readonly app: string; readonly service: ServiceProcess }[] = [];
beforeAll(async () => {
  base = await testDatabase();
  world = await createWorld(base.database);
});
afterAll(async () => {
  await killAll();
  await base?.drop();
});

async function start(app: "api" | "worker"): Promise<ServiceProcess> {
  const environment = { DATABASE_URL: base.url, APP_URL: origin, PORT: "0", APP_SECRET: testSecret };
  const started = await startProcess(environment, app);
  running.push({ app, service: started });
  return started;
}

const killAll = (): Promise<unknown> => Promise.all(running.splice(0).map(({ service }) => service.end("SIGKILL")));
const instances = () => running.flatMap(({ app, service }) => (app === "api" ? [service.url] : []));

/** Types into a new document, then kills all processes. Returns what was acknowledged. */
async function typeAndKillAll() {
  const { editor } = world.people;
  const { id } = await callerOf(world, editor).create({ text: "start", publish: true });
  await Promise.all([start("api"), start("api")]);
  const writer = new LiveWriter("a", await postAs(world, editor, instances));
  const writing = writer.write(id);
  await expect.poll(() => writer.acknowledged.length, { timeout: 60_000 }).toBeGreaterThan(4);
  await killAll();
  writer.stop();
  const acknowledged = [...writer.acknowledged];
  // Its last batch was not acknowledged: it is tried once more when an instance is there.
  return { id, acknowledged, settled: () => writing };
}

/** Returns the log's newest version, and the one up to which the body was saved. */
async function versionsOf(id: string) {
  const [row] = await base.database.rows<{ version: number; savedVersion: number }>(sql`SELECT version, "savedVersion"
    FROM live_documents WHERE "teamId" = ${world.teamId}::uuid AND "documentId" = ${id}::uuid`);
  return row ?? { version: 0, savedVersion: 0 };
}

it("text that was unsaved when all processes were killed is there for the next reader", {
  timeout: 240_000,
  meta: { proves: ["live.failure.all-killed"] },
}, async () => {
  const { id, acknowledged, settled } = await typeAndKillAll();
  const { version, savedVersion } = await versionsOf(id);
  expect(savedVersion).toBeLessThan(version);
  const { url } = await start("api");
  const reply = await fetch(`${url}/api/v1/documents/${id}`, {
    headers: { Authorization: `Bearer ${world.people.viewer.key}` },
  });
  const { text } = (await reply.json()).data;
  for (const piece of acknowledged) expect(text).toContain(piece);
  await settled();
});

it("text that was unsaved when all processes were killed is saved by the next worker", {
  timeout: 240_000,
  meta: { proves: ["live.failure.all-killed"] },
}, async () => {
  const { id, acknowledged, settled } = await typeAndKillAll();
  await start("worker");
  await expect
    .poll(async () => (await versionsOf(id)).savedVersion, { timeout: 60_000 })
    .toBeGreaterThanOrEqual(acknowledged.length);
  const [body] = await base.database.rows<{ markdown: string }>(sql`SELECT markdown FROM document_bodies
    WHERE "teamId" = ${world.teamId}::uuid AND "documentId" = ${id}::uuid`);
  for (const piece of acknowledged) expect(body?.markdown.replaceAll("\\", "")).toContain(piece);
  await start("api");
  await settled();
});
