import { connect as connectSocket, createServer, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { connect, type Database, newId, sql, stampChange } from "@kb/db";
import { type TestDatabase, testDatabase } from "@kb/db/testing";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { withOutbox } from "../outbox.ts";
import { ChangeFeed, type ChangeFollower, type FeedEvent } from "./feed.ts";

let test: TestDatabase;
beforeAll(async () => {
  test = await testDatabase();
});
const feeds: ChangeFeed[] = [];
afterEach(() => {
  for (const feed of feeds.splice(0)) feed.close();
});
afterAll(() => test.drop());

const openFeed = (database: Database = test.database): ChangeFeed => {
  const feed = new ChangeFeed({ database });
  feeds.push(feed);
  return feed;
};

async function newTeam(): Promise<string> {
  const id = newId();
  await test.database.acrossTeams.execute(sql`INSERT INTO teams (id, name) VALUES (${id}::uuid, 'Team')`);
  return id;
}

const credential = { kind: "system", id: "test", name: "Test" } as const;

/** Commits a change of a team through the outbox; returns when it was committed. */
async function change(teamId: string): Promise<number> {
  const emitter = { teamId, userId: "", userName: "", credential };
  await test.database.transaction((tx) =>
    withOutbox(tx, emitter, async (outbox) => {
      outbox.emit(await stampChange(tx, teamId, new Date()), [
        { type: "tag.created", data: { id: newId(), name: "a" } },
      ]);
    }),
  );
  return performance.now();
}

/** A change whose announcement is lost. */
async function silentChange(teamId: string): Promise<number> {
  await test.database.transaction(async (tx) => {
    const { sequence, at } = await stampChange(tx, teamId, new Date());
    await tx.event.create({ data: { teamId, id: newId(), sequence, type: "tag.created", at, actor: {}, data: {} } });
  });
  return performance.now();
}

/**
 * Forwards connections to PostgreSQL, except those that listen: it ends them, or it lets them connect and then swallows
 * every answer, so that no notification ever arrives.
 */
async function listenlessProxy(targetUrl: string, failure: "refused" | "silent") {
  const target = new URL(targetUrl);
  const sockets = new Set<Socket>();
  let refusals = 0;
  const server = createServer((socket) => {
    sockets.add(socket);
    socket
      .on("error", () => {})
      .once("data", (startup) => {
        const listens = startup.includes("listen\0");
        if (listens) refusals += 1;
        if (listens && failure === "refused") return void socket.destroy();
        const upstream = connectSocket(Number(target.port), target.hostname);
        sockets.add(upstream);
        upstream.on("error", () => socket.destroy()).on("close", () => socket.destroy());
        socket.on("close", () => upstream.destroy());
        upstream.write(startup);
        socket.pipe(upstream);
        if (listens) swallowAfterStartup(upstream, socket);
        else upstream.pipe(socket);
      });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the proxy has no port");
  const url = new URL(targetUrl);
  url.hostname = "127.0.0.1";
  url.port = String(address.port);
  const close = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  };
  return { url: url.href, refusals: () => refusals, close };
}

const readyForQuery = Buffer.from([0x5a, 0, 0, 0, 5, 0x49]);

/** Forwards the answers of PostgreSQL until the connection is ready for its first statement. */
function swallowAfterStartup(upstream: Socket, socket: Socket): void {
  let isReady = false;
  upstream.on("data", (chunk) => {
    if (isReady) return;
    isReady = chunk.includes(readyForQuery);
    socket.write(chunk);
  });
}

class Recorder implements ChangeFollower {
  readonly teamId: string;
  position: number;
  readonly received: { readonly sequence: number; readonly at: number }[] = [];
  readonly skips: number[] = [];
  fails = false;

  constructor(teamId: string, position = 0) {
    this.teamId = teamId;
    this.position = position;
  }

  receive(events: readonly FeedEvent[]): Promise<void> {
    if (this.fails) return Promise.reject(new Error("not now"));
    for (const { sequence } of events) this.received.push({ sequence, at: performance.now() });
    this.position = events.at(-1)?.sequence ?? this.position;
    return Promise.resolve();
  }

  skipTo(position: number): Promise<void> {
    this.skips.push(position);
    this.position = position;
    return Promise.resolve();
  }

  get sequences(): number[] {
    return this.received.map(({ sequence }) => sequence);
  }
}

describe("the feed of changes", () => {
  it("gives each follower the events of its team, once and in order, from its position on", async () => {
    const own = await newTeam();
    const other = await newTeam();
    await change(own);
    await change(own);
    const feed = openFeed();
    const fromStart = new Recorder(own);
    const fromSecond = new Recorder(own, 1);
    const elsewhere = new Recorder(other);
    for (const follower of [fromStart, fromSecond, elsewhere]) await feed.follow(follower);
    await Promise.all([change(own), change(own), change(other)]);
    await expect.poll(() => fromStart.sequences).toEqual([1, 2, 3, 4]);
    await expect.poll(() => fromSecond.sequences).toEqual([2, 3, 4]);
    await expect.poll(() => elsewhere.sequences).toEqual([1]);
  });

  it("is woken by the commit: most changes arrive long before the poll", async () => {
    const teamId = await newTeam();
    const follower = new Recorder(teamId);
    await openFeed().follow(follower);
    await change(teamId);
    await expect.poll(() => follower.sequences).toEqual([1]);
    const delays: number[] = [];
    for (let count = 2; count <= 21; count += 1) {
      const committedAt = await change(teamId);
      await expect.poll(() => follower.received.length, { interval: 2 }).toBe(count);
      delays.push((follower.received.at(-1)?.at ?? 0) - committedAt);
    }
    const median = delays.sort((a, b) => a - b)[10] ?? Number.POSITIVE_INFINITY;
    expect(median).toBeLessThan(500);
  });

  it("finds a change whose announcement was lost by its poll, within about a second", async () => {
    const teamId = await newTeam();
    const follower = new Recorder(teamId);
    await openFeed().follow(follower);
    await pause(100);
    const committedAt = await silentChange(teamId);
    await expect.poll(() => follower.sequences, { timeout: 5_000 }).toEqual([1]);
    expect((follower.received[0]?.at ?? 0) - committedAt).toBeLessThan(2_000);
  });

  it.each(["refused", "silent"] as const)(
    "feeds its followers by the poll while its LISTEN connection is %s, as behind a pooler in transaction mode",
    async (failure) => {
      const proxy = await listenlessProxy(test.url, failure);
      const database = connect({ url: proxy.url, applicationName: "kb-unheard" });
      try {
        const teamId = await newTeam();
        const follower = new Recorder(teamId);
        const feed = openFeed(database);
        await feed.follow(follower);
        for (let count = 1; count <= 3; count += 1) {
          const committedAt = await change(teamId);
          await expect.poll(() => follower.received.length, { timeout: 5_000 }).toBe(count);
          expect((follower.received.at(-1)?.at ?? 0) - committedAt).toBeLessThan(2_000);
        }
        expect(follower.sequences).toEqual([1, 2, 3]);
        expect(proxy.refusals()).toBeGreaterThan(0);
        feed.close();
      } finally {
        await database.close();
        await proxy.close();
      }
    },
  );

  it("goes on after its connection was cut", async () => {
    const database = connect({ url: test.url, applicationName: "kb-cut" });
    try {
      const teamId = await newTeam();
      const follower = new Recorder(teamId);
      const feed = openFeed(database);
      await feed.follow(follower);
      await change(teamId);
      await expect.poll(() => follower.sequences).toEqual([1]);
      await test.database.acrossTeams.rows(sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND application_name LIKE 'kb-cut%'`);
      await change(teamId);
      await expect.poll(() => follower.sequences, { timeout: 10_000 }).toEqual([1, 2]);
      feed.close();
    } finally {
      await database.close();
    }
  });

  it("keeps the place of a follower that fails, and feeds the others meanwhile", async () => {
    const teamId = await newTeam();
    const failing = new Recorder(teamId);
    const sound = new Recorder(teamId);
    failing.fails = true;
    const feed = openFeed();
    await feed.follow(failing);
    await feed.follow(sound);
    await change(teamId);
    await expect.poll(() => sound.sequences).toEqual([1]);
    expect(failing.sequences).toEqual([]);
    failing.fails = false;
    await change(teamId);
    await expect.poll(() => failing.sequences).toEqual([1, 2]);
    expect(sound.sequences).toEqual([1, 2]);
  });

  it("lets a follower that is far behind skip what it missed, and knows which positions can be resumed", async () => {
    const teamId = await newTeam();
    await test.database.transaction((tx) => stampChange(tx, teamId, new Date(), 5_001));
    const feed = openFeed();
    const follower = new Recorder(teamId);
    await feed.follow(follower);
    expect(follower.skips).toEqual([5_001]);
    await change(teamId);
    await expect.poll(() => follower.sequences).toEqual([5_002]);
    const resumable = await Promise.all([0, 1, 5_001, 5_002, 5_003].map((place) => feed.canResume(teamId, place)));
    // Too far behind, no longer stored, second to last, newest, and beyond the newest.
    expect(resumable).toEqual([false, false, true, true, false]);
  });

  it("reads nothing while nobody follows", async () => {
    const texts: string[] = [];
    const database = connect({ url: test.url, onQuery: (text) => texts.push(text) });
    try {
      const teamId = await newTeam();
      const feed = openFeed(database);
      const stop = await feed.follow(new Recorder(teamId));
      await expect.poll(() => texts.some((text) => text.includes("FROM unnest"))).toBe(true);
      stop();
      await pause(50);
      const before = texts.length;
      await change(teamId);
      await pause(1_300);
      expect(texts.length).toBe(before);
      feed.close();
    } finally {
      await database.close();
    }
  });
});
