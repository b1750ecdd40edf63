import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { invoke, operations } from "@kb/core";
import { createWorld, inApp, testSecret, type World } from "@kb/core/testing";
import { newId, sql } from "@kb/db";
import { type TestDatabase, testDatabase } from "@kb/db/testing";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openReceiver, type Receiver } from "./receiver.ts";

/** The long run: `KB_WORKER_EVENTS=5000 KB_WORKER_KILLS=100 npx vitest run apps/worker/test/crashes.test.ts`. */
const eventCount = Number(process.env.KB_WORKER_EVENTS ?? 400);
const killCount = Number(process.env.KB_WORKER_KILLS ?? 6);
const workerCount = 4;
const documentCount = 40;

let base: TestDatabase;
let world: World;
let at: Receiver;
beforeAll(async () => {
  base = await testDatabase();
  world = await createWorld(base.database);
  at = await openReceiver();
});
afterAll(async () => {
  await base.drop();
  await at.close();
});

const program = join(import.meta.dirname, "worker-process.ts");

function startProcess(): ChildProcess {
  return spawn(process.execPath, [program, base.url, testSecret], { stdio: ["ignore", "inherit", "inherit"] });
}

type Payload = { id: string; type: string; sequence: number; data: { id: string } };

describe("delivery despite crashes", () => {
  it("every event is delivered at least once, in order within its document and with one webhook-id, while workers are killed", {
    timeout: 1_200_000,
    meta: { proves: ["decision.webhooks.at-least-once"] },
  }, async () => {
    const { service, people, collections, teamId } = world;
    await base.database.acrossTeams.execute(sql`UPDATE events SET "dispatchedAt" = at`);
    const subscribed = { url: at.url, events: ["document.updated"] };
    const { secret } = await invoke(service, operations.createWebhook, inApp(people.admin), subscribed);
    const documents: string[] = [];
    for (let index = 0; index < documentCount; index += 1) {
      const given = { title: `Document ${index}`, collectionId: collections.open, publish: true };
      documents.push((await invoke(service, operations.createDocument, people.admin.actor, given)).id);
    }
    const workers = Array.from({ length: workerCount }, startProcess);
    const writing = (async () => {
      for (let index = 0; index < eventCount; index += 1) {
        const id = documents[index % documentCount] ?? newId();
        await invoke(service, operations.updateDocument, people.admin.actor, { id, title: `Title ${index}` });
      }
    })();
    let killed = 0;
    const waiting = async (): Promise<number> => {
      const [row] = await base.database.rows<{ count: number }>(sql`SELECT count(*)::int AS count FROM events e
        WHERE e."teamId" = ${teamId}::uuid AND e.type = 'document.updated' AND NOT EXISTS (SELECT 1 FROM webhook_deliveries d
          WHERE d."teamId" = e."teamId" AND d."eventId" = e.id AND d.status = 'delivered')`);
      return row?.count ?? 0;
    };
    while (killed < killCount) {
      await new Promise((resolve) => setTimeout(resolve, 300 + Math.random() * 500));
      const index = Math.floor(Math.random() * workerCount);
      workers[index]?.kill("SIGKILL");
      workers[index] = startProcess();
      killed += 1;
    }
    await writing;
    await expect.poll(waiting, { timeout: 120_000, interval: 250 }).toBe(0);
    for (const worker of workers) worker.kill("SIGKILL");

    const verifier = new Webhook(secret);
    const payloads = at.received.map((received): Payload => {
      const headers = Object.fromEntries(
        Object.entries(received.headers).map(([name, value]) => [name, String(value)]),
      );
      verifier.verify(received.body, headers);
      const payload: Payload = JSON.parse(received.body);
      expect(received.headers["webhook-id"]).toBe(payload.id);
      return payload;
    });
    const events = await base.database.rows<{ id: string }>(sql`SELECT id FROM events e
      WHERE e."teamId" = ${teamId}::uuid AND e.type = 'document.updated'`);
    expect(events).toHaveLength(eventCount);
    expect(new Set(payloads.map((payload) => payload.id))).toEqual(new Set(events.map((event) => event.id)));
    for (const id of documents) {
      // A repeated delivery may come late, but first deliveries arrive in order.
      const firsts = new Map<string, number>();
      for (const payload of payloads) {
        if (payload.data.id === id && !firsts.has(payload.id)) firsts.set(payload.id, payload.sequence);
      }
      const sequences = [...firsts.values()];
      expect(sequences).toEqual([...sequences].sort((a, b) => a - b));
    }
    console.log(`${eventCount} events, ${payloads.length} requests, ${killed} workers killed`);
  });
});
