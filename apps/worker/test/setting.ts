import type { Actor } from "@kb/auth";
import { invoke, operations } from "@kb/core";
import { sql } from "@kb/db";
import { createLogger } from "@kb/http";
import { guardedFetch } from "@kb/outgoing";
import { createWorld, type Person, type TestClock, testClock, testDatabase, type World } from "@kb/testing";
import { type RunningWorker, startWorker, type WorkerOptions } from "../src/index.ts";

/** A world with workers beside it, on a database and a clock of its own. */
export type Setting = {
  readonly world: World;
  readonly clock: TestClock;
  readonly url: string;
  /** Starts a worker that may reach this machine, and looks often. */
  work(options?: Partial<WorkerOptions>): RunningWorker;
  /** Subscribes an address in the name of somebody. */
  subscribe(who: Person, given: Subscription): Promise<{ id: string; secret: string }>;
  /** Waits until no delivery is due and none runs. */
  settled(): Promise<void>;
  close(): Promise<void>;
};

export type Subscription = { url: string; events?: readonly string[]; collectionIds?: readonly string[] };

/** Somebody in the app. */
export const inApp = (person: Person): Actor => ({
  ...person.actor,
  scopes: new Set(["read", "write", "admin"]),
  credential: { kind: "session", id: person.id, name: "Browser" },
});

export async function openSetting(): Promise<Setting> {
  const { database, drop, url } = await testDatabase();
  const clock = testClock();
  const world = await createWorld(database, { clock });
  const { service } = world;
  const workers: RunningWorker[] = [];
  // What built the world is no news to the tests.
  await database.acrossTeams.execute(sql`UPDATE events SET "dispatchedAt" = at`);
  return {
    world,
    clock,
    url,
    work: (options = {}) => {
      const worker = startWorker({
        service,
        outgoing: guardedFetch({ allowPrivateNetwork: true }),
        logger: createLogger({ app: "worker", level: "silent" }),
        trashRetentionDays: 30,
        pollMs: 20,
        ...options,
      });
      workers.push(worker);
      return worker;
    },
    subscribe: async (who, { url: target, events = ["*"], collectionIds = [] }) => {
      const given = { url: target, events, collectionIds };
      return invoke(service, operations.createWebhook, inApp(who), given);
    },
    settled: async () => {
      while (await isBusy(world, clock.now())) await new Promise((resolve) => setTimeout(resolve, 20));
    },
    close: async () => {
      for (const worker of workers) await worker.close();
      await drop();
    },
  };
}

/** Whether an event was not looked at, or a delivery is due or under way. */
async function isBusy({ service: { database } }: World, now: Date): Promise<boolean> {
  const [row] = await database.acrossTeams.rows<{ busy: boolean }>(sql`SELECT
    EXISTS (SELECT 1 FROM events WHERE "dispatchedAt" IS NULL)
    OR EXISTS (SELECT 1 FROM webhook_deliveries d JOIN webhook_subscriptions w ON w."teamId" = d."teamId"
      AND w.id = d."subscriptionId" WHERE w.enabled AND d.status = 'pending'
        AND (d."nextAttemptAt" <= ${now} OR d."leaseUntil" > ${now})) AS busy`);
  return row?.busy === true;
}
