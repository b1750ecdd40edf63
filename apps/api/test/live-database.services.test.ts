import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { callerOf, createWorld, testSecret, type World } from "@kb/core/testing";
import { type Cluster, connect, type Database, migrate, sql, startCluster } from "@kb/db";
import { afterAll, beforeAll, expect, it } from "vitest";
import { LiveWriter, origin, postAs } from "./live-writer.ts";
import { type ServiceProcess, startProcess } from "./service-process.ts";

const kills = 2;

let folder: string;
let cluster: Cluster;
let database: Database;
let world: World;
const instances: ServiceProcess[] = [];
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "kb-live-database-"));
  cluster = await startCluster({ dataDir: folder });
  await migrate(cluster.url);
  database = connect({ url: cluster.url });
  world = await createWorld(database);
  const environment = { DATABASE_URL: cluster.url, APP_URL: origin, PORT: "0", APP_SECRET: testSecret };
  instances.push(...(await Promise.all([startProcess(environment), startProcess(environment)])));
}, 240_000);
afterAll(async () => {
  await Promise.all(instances.map(({ end }) => end("SIGKILL")));
  await database?.close();
  await cluster?.stop();
  rmSync(folder, { recursive: true, force: true });
});

it("while people type, PostgreSQL is killed: each acknowledged batch is in the log and the text once", {
  timeout: 300_000,
  meta: { proves: ["live.failure.database-killed"] },
}, async () => {
  const { admin, editor } = world.people;
  const { id } = await callerOf(world, editor).create({ text: "start", publish: true });
  const urls = () => instances.map(({ url }) => url);
  const writers = [
    new LiveWriter("a", await postAs(world, admin, urls)),
    new LiveWriter("b", await postAs(world, editor, urls)),
  ];
  const writing = writers.map((writer) => writer.write(id));
  // A failure is reported where they are awaited.
  for (const one of writing) one.catch(() => {});
  const acknowledged = (): number => Math.min(...writers.map((writer) => writer.acknowledged.length));
  for (let kill = 0; kill < kills; kill += 1) {
    const before = acknowledged();
    await expect.poll(acknowledged, { timeout: 90_000 }).toBeGreaterThan(before + 4);
    process.kill(cluster.pid, "SIGKILL");
    cluster = await startCluster({ dataDir: folder, port: cluster.port });
  }
  const before = acknowledged();
  await expect.poll(acknowledged, { timeout: 90_000 }).toBeGreaterThan(before + 4);
  for (const writer of writers) writer.stop();
  await Promise.all(writing);

  const log = await database.rows<{ clientId: string; seq: number }>(sql`SELECT "clientId", seq FROM live_batches
    WHERE "teamId" = ${world.teamId}::uuid AND "documentId" = ${id}::uuid AND kind = 'session' ORDER BY version`);
  const text = (await callerOf(world, editor).get(id)).text ?? "";
  for (const { clientId, acknowledged: pieces } of writers) {
    const numbers = log.filter((batch) => batch.clientId === clientId).map(({ seq }) => seq);
    expect(numbers).toEqual(pieces.map((_, index) => index + 1));
    for (const piece of pieces) expect(text.split(piece).length, piece).toBe(2);
  }
});
