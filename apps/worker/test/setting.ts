import { invoke, operations } from "@kb/core";
import { createWorld, inApp, type Person, type World } from "@kb/core/testing";
import { sql } from "@kb/db";
import { testDatabase } from "@kb/db/testing";
import { guardedFetch } from "@kb/outgoing";
import { createLogger } from "@kb/runtime";
import { type TestClock, testClock } from "@kb/testing";
import { type RunningWorker, startWorker, type WorkerOptions } from "../src/index.ts";

/** A world with workers, on its own database and clock. */
export type Setting = {
  readonly world: World;
  readonly clock: TestClock;
  readonly url: string;
  /** Starts a worker that may connect to this machine and polls often. */
  work(options?: Partial<WorkerOptions>): RunningWorker;
  /** Subscribes an address on behalf of a user. */
  subscribe(who: Person, given: Subscription): Promise<{ id: string; secret: string }>;
  /** Waits until no delivery is due and none runs. */
  settled(): Promise<void>;
  close(): Promise<void>;
};

export type Subscription = { url: string; events?: readonly string[]; collectionIds?: readonly string[] };

export async function openSetting(): Promise<Setting> {
  const { database, drop, url } = await testDatabase();
  const clock = testClock();
  const world = await createWorld(database, { clock });
  const { service } = world;
  const workers: RunningWorker[] = [];
  // Excludes the events of the world's creation.
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

/** Returns whether an event is not dispatched, or a delivery is due or running. */
async function isBusy({ service: { database } }: World, now: Date): Promise<boolean> {
  const [row] = await database.acrossTeams.rows<{ busy: boolean }>(sql`SELECT
    EXISTS (SELECT 1 FROM events WHERE "dispatchedAt" IS NULL)
    OR EXISTS (SELECT 1 FROM webhook_deliveries d JOIN webhook_subscriptions w ON w."teamId" = d."teamId"
      AND w.id = d."subscriptionId" WHERE w.enabled AND d.status = 'pending'
        AND (d."nextAttemptAt" <= ${now} OR d."leaseUntil" > ${now})) AS busy`);
  return row?.busy === true;
}
