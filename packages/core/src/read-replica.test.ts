import { setTimeout as pause } from "node:timers/promises";
import { expectedCallers } from "@kb/auth";
import { callerOf, createWorld, outcomeOf, type TestCaller, type World } from "@kb/core/testing";
import { type ConnectOptions, connect, type Database, newId, type ReplicaState, sql } from "@kb/db";
import { type ReplicatedCluster, startReplicatedCluster } from "@kb/db/testing";
import { noTelemetry, type Telemetry } from "@kb/telemetry";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { CallerChangedError } from "./caller-changed-error.ts";
import { invoke } from "./invoke.ts";
import * as operations from "./operations.ts";

let outcomes: unknown[] = [];
const telemetry: Telemetry = {
  ...noTelemetry,
  add: (name, _by, labels: Record<string, unknown>) => {
    if (name === "kb.replica.reads") outcomes.push(labels["kb.replica.outcome"]);
  },
};

let cluster: ReplicatedCluster;
let database: Database;
let world: World;
let admin: TestCaller;
let viewer: TestCaller;
/** The admin in a session, for settings. */
let boss: TestCaller;

/** Connects with replicas, whose states are known when it resolves. */
async function open(options: Partial<ConnectOptions> = {}): Promise<Database> {
  const opened = connect({ url: cluster.primaryUrl, replicaUrls: [cluster.replicaUrl], telemetry, ...options });
  await opened.warmUp();
  return opened;
}

beforeAll(async () => {
  cluster = await startReplicatedCluster();
  database = await open();
  world = await createWorld(database);
  admin = callerOf(world, world.people.admin);
  viewer = callerOf(world, world.people.viewer);
  boss = callerOf(world, await world.session(world.people.admin));
  await untilState(database, "ok");
});
afterAll(async () => {
  await database?.close();
  await cluster?.drop();
});
afterEach(async () => {
  await cluster.resumeReplay().catch(() => {});
});

/** Returns where the reads of some work were made, each once. */
async function readsOf(work: () => Promise<unknown>): Promise<unknown[]> {
  outcomes = [];
  await work();
  return [...new Set(outcomes)];
}

/** Expects that some work reads the replica only, as soon as the machine is not too busy to reach it in 50 ms. */
async function expectReplica(work: () => Promise<unknown>): Promise<void> {
  await expect.poll(() => readsOf(work), { timeout: 20_000 }).toEqual(["replica"]);
}

/** Waits until the last check of the replicas found a state. */
async function untilState(of: Database, state: ReplicaState): Promise<void> {
  for (const deadline = performance.now() + 20_000; of.replicas()[0]?.state !== state; ) {
    if (performance.now() > deadline) throw new Error(`the replica is ${of.replicas()[0]?.state}`);
    await pause(20);
  }
}

const publish = (input: object) => admin.create({ publish: true, ...input });
const titlesFor = async (caller: TestCaller, word: string): Promise<string[]> =>
  (await caller.search(word)).data.map(({ document }) => document.title);

/** Exports a collection and reads all files; returns their paths. */
async function exportedPaths(caller: TestCaller, id: string): Promise<string[]> {
  const { files } = await caller.run(operations.exportCollection, { id });
  const paths: string[] = [];
  for (const file of files) {
    const stream = await file.open();
    if (stream === null) continue;
    for await (const _ of stream);
    paths.push(file.path);
  }
  return paths;
}

describe("a read replica", { timeout: 60_000 }, () => {
  it("answers searches and exports once it has the changes of the team", async () => {
    await publish({ title: "Okapi", text: "An okapi in the forest." });
    await cluster.caughtUp();
    await expectReplica(async () => {
      expect(await titlesFor(admin, "okapi")).toEqual(["Okapi"]);
      expect(await boss.run(operations.searchInApp, { query: "okapi" })).toMatchObject({ total: 1 });
      expect(await admin.run(operations.searchForAssistants, { query: "okapi" })).toMatchObject({ total: 1 });
      expect(await exportedPaths(admin, world.collections.open)).toContain("Okapi.md");
    });
  });

  it("never hides the caller's own last write, however far it is behind", {
    meta: { proves: ["decision.running.replica-own-write"] },
  }, async () => {
    const { id: collectionId } = await admin.createCollection({ name: "Behind" });
    const { id } = await publish({ title: "Before", text: "Quagga.", collectionId });
    await cluster.caughtUp();
    await cluster.pauseReplay();
    await admin.update(id, { title: "After" });
    await publish({ title: "New", text: "Quagga.", collectionId });
    const bytes = new Uint8Array(Buffer.from("a file"));
    await admin.run(operations.attachBytes, { name: "file.txt", contentType: "text/plain", documentId: id, bytes });
    const reads = await readsOf(async () => {
      expect((await titlesFor(admin, "quagga")).sort()).toEqual(["After", "New"]);
      const paths = await exportedPaths(admin, collectionId);
      expect(paths).toEqual(["After.md", "New.md", "uploads/file.txt", "manifest.json"]);
    });
    expect(reads).toEqual(["behind"]);
    await cluster.resumeReplay();
    await cluster.caughtUp();
    await expectReplica(() => titlesFor(admin, "quagga"));
  });

  it("finds a corrected word and a new tag at once", async () => {
    const { id } = await publish({ title: "Typo", text: "The hippopotamus.", tags: ["wombat"] });
    await cluster.caughtUp();
    expect(await titlesFor(admin, "hippopotamis")).toEqual(["Typo"]);
    const tag = (await admin.listTags()).find(({ name }) => name === "wombat");
    await boss.run(operations.updateTag, { id: tag?.id, name: "numbat" });
    expect(await titlesFor(admin, "numbat")).toEqual(["Typo"]);
    expect((await admin.get(id)).tags).toEqual(["numbat"]);
  });

  it("serves other teams while it lacks the changes of one", async () => {
    const outsider = callerOf(world, world.people.outsider);
    await cluster.caughtUp();
    await cluster.pauseReplay();
    await publish({ title: "Only here" });
    await expectReplica(() => titlesFor(outsider, "foreign"));
    expect(await readsOf(() => titlesFor(admin, "only"))).toEqual(["behind"]);
  });

  it("shows nothing to a reader whose right was taken away, before and after it has replayed that", {
    meta: { proves: ["decision.running.replica-revocation"] },
  }, async () => {
    const { id: collectionId } = await admin.createCollection({ name: "Shown" });
    await boss.run(operations.setDefaultAccess, { id: collectionId, defaultAccess: "read" });
    await publish({ title: "Shown", text: "Pangolin.", collectionId });
    await cluster.caughtUp();
    expect(await titlesFor(viewer, "pangolin")).toEqual(["Shown"]);
    await cluster.pauseReplay();
    await boss.run(operations.setDefaultAccess, { id: collectionId, defaultAccess: "none" });
    expect(await titlesFor(viewer, "pangolin")).toEqual([]);
    expect(await outcomeOf(exportedPaths(viewer, collectionId))).toBe("not_found");
    await cluster.resumeReplay();
    await cluster.caughtUp();
    await expectReplica(async () => expect(await titlesFor(viewer, "pangolin")).toEqual([]));
  });

  it("shows nothing to a key that was revoked, where the key is looked up with the first statement", async () => {
    const key = await world.key(world.people.viewer, ["read"]);
    const { authenticate, expect: expectCaller } = expectedCallers(database);
    const known = await authenticate(key, new Date());
    if (known === null) throw new Error("the key is not valid");
    const search = async () => {
      const expected = expectCaller(key, new Date());
      return invoke(world.service, operations.searchDocuments, known, { query: "okapi" }, { expected });
    };
    await cluster.caughtUp();
    await expectReplica(async () => expect((await search()).total).toBe(1));
    await cluster.pauseReplay();
    await boss.run(operations.revokeApiKey, { id: known.credential.id });
    await expect(search()).rejects.toThrow(CallerChangedError);
    expect(await authenticate(key, new Date())).toBeNull();
  });

  it("is asked by many writers who each find at once what they wrote", async () => {
    const reads = await readsOf(async () => {
      const writers = Array.from({ length: 6 }, async () => {
        for (let round = 0; round < 12; round += 1) {
          const word = `w${newId().replaceAll("-", "")}`;
          await publish({ title: word });
          expect(await titlesFor(admin, word)).toEqual([word]);
        }
      });
      await Promise.all(writers);
    });
    expect(reads).toContain("replica");
  });

  it("is left alone while it has no free connection, and stays in use", async () => {
    await cluster.caughtUp();
    const one = await open({ poolMax: 2 });
    await untilState(one, "ok");
    const reader = one.replicaReader(one, world.teamId);
    // On a busy machine the long read may be made on the primary too.
    const besideLongRead = async () => {
      const slow = reader.rows(sql`SELECT pg_sleep(2)`);
      await pause(300);
      const began = performance.now();
      const reads = await readsOf(() => reader.rows(sql`SELECT 1`));
      const waitsBriefly = performance.now() - began < 900;
      const state = one.replicas()[0]?.state;
      await slow;
      return { reads, waitsBriefly, state };
    };
    await expect
      .poll(besideLongRead, { timeout: 30_000 })
      .toEqual({ reads: ["busy"], waitsBriefly: true, state: "ok" });
    await expectReplica(() => reader.rows(sql`SELECT 1`));
    await one.close();
  });

  it("gives a statement up that takes long there, for instance behind a lock, and the primary answers", async () => {
    await cluster.caughtUp();
    const reader = database.replicaReader(database, world.teamId);
    const slowOnReplica = sql`SELECT CASE WHEN pg_is_in_recovery() THEN pg_sleep(9) END IS NULL AS "isPrimary"`;
    const reads = await readsOf(async () => expect(await reader.rows(slowOnReplica)).toEqual([{ isPrimary: true }]));
    expect(reads).toEqual(["failed"]);
    expect(database.replicas()).toMatchObject([{ state: "ok" }]);
  });

  it("limits statements and idle transactions by itself where a pooler's sessions have no limits", async () => {
    await cluster.caughtUp();
    const pooled = await open({ directUrl: cluster.primaryUrl });
    await untilState(pooled, "ok");
    const reader = pooled.replicaReader(pooled, world.teamId);
    const limits = sql`SELECT pg_is_in_recovery() AS "onReplica", current_setting('statement_timeout') AS statement,
      current_setting('idle_in_transaction_session_timeout') AS idle`;
    await expect
      .poll(() => reader.rows(limits), { timeout: 20_000 })
      .toEqual([{ onReplica: true, statement: "3s", idle: "15s" }]);
    await pooled.close();
  });

  it("shows only changes that are on the disk of the primary", async () => {
    const { id } = await publish({ title: "Durable", text: "Axolotl." });
    await cluster.caughtUp();
    const waits: Date[] = [];
    const changeOnDisk = async (_teamId: string, at: Date) => void waits.push(at);
    const service = { ...world.service, database: { ...database, changeOnDisk } };
    const reader = callerOf({ ...world, service }, world.people.admin);
    expect(await readsOf(async () => expect(await titlesFor(reader, "axolotl")).toEqual(["Durable"]))).toEqual([
      "replica",
    ]);
    expect(waits).toContainEqual(new Date((await admin.get(id)).updatedAt));
  });

  it("has to prove itself to a process that starts while it is behind, which tells how far at once", async () => {
    await cluster.caughtUp();
    await cluster.pauseReplay();
    await pause(600);
    await publish({ title: "Late" });
    const late = await open();
    const [report] = late.replicas();
    expect(report).toMatchObject({ state: "unproven" });
    expect(report?.lagMs).toBeGreaterThan(500);
    const reader = callerOf({ ...world, service: { ...world.service, database: late } }, world.people.outsider);
    expect(await readsOf(() => titlesFor(reader, "foreign"))).toEqual(["unusable"]);
    await cluster.resumeReplay();
    await untilState(late, "ok");
    await late.close();
  });

  it("is no place of a caller's statement that names no team", async () => {
    const reader = database.replicaReader(database, world.teamId);
    await expect(reader.rows(sql`SELECT 1 FROM documents`)).rejects.toThrow(/without "teamId"/);
  });

  it("is not used while it is another database, or none in recovery", async () => {
    const elsewhere = new URL(cluster.replicaUrl);
    elsewhere.pathname = "/postgres";
    for (const [url, state] of [
      [elsewhere.href, "another_database"],
      [cluster.primaryUrl, "not_in_recovery"],
      ["postgresql://nobody@127.0.0.1:9/kb", "down"],
    ] as const) {
      const other = await open({ replicaUrls: [url] });
      expect(other.replicas()).toMatchObject([{ host: `${new URL(url).host}${new URL(url).pathname}`, state }]);
      const reader = callerOf({ ...world, service: { ...world.service, database: other } }, world.people.admin);
      expect(await readsOf(async () => expect(await titlesFor(reader, "okapi")).toEqual(["Okapi"]))).toEqual([
        "unusable",
      ]);
      await other.close();
    }
  });

  it("is left out while it is down, without a failed request, and used again afterwards", {
    meta: { proves: ["decision.running.replica-away"] },
  }, async () => {
    await cluster.caughtUp();
    const search = async () => expect(await titlesFor(admin, "okapi")).toEqual(["Okapi"]);
    await cluster.stopReplica();
    expect(await readsOf(search)).not.toContain("replica");
    await untilState(database, "down");
    expect(await readsOf(search)).toEqual(["unusable"]);
    await cluster.startReplica();
    await untilState(database, "ok");
    await cluster.caughtUp();
    await expectReplica(search);
  });

  it("is not read from the moment at which it was promoted", async () => {
    await cluster.caughtUp();
    await cluster.promote();
    expect(await readsOf(async () => expect(await titlesFor(admin, "okapi")).toEqual(["Okapi"]))).not.toContain(
      "replica",
    );
    await untilState(database, "not_in_recovery");
  });
});
