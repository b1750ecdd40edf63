import { newId } from "@kb/db";
import { addCpuTime, type CpuMeter, withCpuMeter } from "@kb/telemetry";
import { afterAll, beforeEach, expect, it } from "vitest";
import { flushAudit, queueAudit } from "./audit/queue.ts";
import { ChangeFeed } from "./changes/feed.ts";
import { flushViews, recordView } from "./documents/record-view.ts";
import { LiveFeed } from "./live/live-feed.ts";
import { LiveFollower } from "./live/live-follower.ts";
import { callerOf } from "./testing/caller.ts";
import { inApp, LiveClient } from "./testing/live-client.ts";
import { testWorld } from "./testing/test-world.ts";

/** The meter of a request whose caller has used up their share: whatever waits for a turn fails. */
let meter: CpuMeter;
const statements: { text: string; isCharged: boolean }[] = [];

/** Whether the running code works for the account of the request. */
function isCharged(): boolean {
  const before = meter.cpuMs;
  addCpuTime(1);
  return meter.cpuMs > before;
}

const onQuery = (text: string): void => void statements.push({ text, isCharged: isCharged() });
meter = { cpuMs: 0 };
const { test, world } = await testWorld({}, { onQuery });
const { database } = test;
const { editor } = world.people;
const { actor } = editor;
const feeds: { close(): void }[] = [];
afterAll(() => {
  for (const feed of feeds) feed.close();
});

beforeEach(() => {
  statements.length = 0;
  meter = { cpuMs: 0, takeTurn: () => Promise.reject(new Error("the caller has no turn")) };
});

/** Starts work in the request, and waits until it has sent a statement that contains `part`. Returns whether any was charged. */
async function chargedFor(part: string, start: () => unknown): Promise<boolean> {
  const ofWork = () => statements.filter(({ text }) => text.includes(part));
  await withCpuMeter(meter, async () => void (await start()));
  await expect.poll(() => ofWork().length, { timeout: 10_000 }).toBeGreaterThan(0);
  return ofWork().some((statement) => statement.isCharged);
}

it("a statement of the request itself is a cost of its caller", async () => {
  expect(await chargedFor("FROM team_clocks", () => new ChangeFeed({ database }).head(actor.teamId))).toBe(true);
});

it("the feed of changes works for nobody's account, whoever opened the first stream", async () => {
  const feed = new ChangeFeed({ database });
  feeds.push(feed);
  const position = await feed.head(actor.teamId);
  const received: boolean[] = [];
  const receive = async (): Promise<void> => void received.push(isCharged());
  const follower = { teamId: actor.teamId, position, receive, skipTo: receive };
  const follow = async () => {
    await feed.follow(follower);
    await withCpuMeter({ cpuMs: 0 }, () => callerOf(world, editor).create({ text: "one", publish: true }));
  };
  expect(await chargedFor("FROM events o", follow)).toBe(false);
  await expect.poll(() => received.length, { timeout: 10_000 }).toBeGreaterThan(0);
  expect(received).not.toContain(true);
});

it("the feed of live editing works for nobody's account", async () => {
  const { id } = await callerOf(world, editor).create({ text: "one", publish: true });
  const { lineage, version } = await new LiveClient(world, editor, id).open();
  const feed = new LiveFeed({ database });
  feeds.push(feed);
  const ignore = (): void => {};
  const receivers = { batch: ignore, saved: ignore, access: ignore, presence: ignore, reset: ignore, gone: ignore };
  const follower = new LiveFollower(inApp(editor), id, { lineage, version }, receivers);
  expect(await chargedFor("LEFT JOIN live_documents", () => feed.follow(follower))).toBe(false);
});

it("the writer of the audit log works for nobody's account, also when a request makes it write at once", async () => {
  const record = { teamId: actor.teamId, at: new Date(), userId: null, credential: null, action: "test.refused" };
  const push = (): void => queueAudit({ database }, { ...record, outcome: "denied" });
  expect(await chargedFor("INSERT INTO audit_entries", push)).toBe(false);
  statements.length = 0;
  push();
  expect(await chargedFor("INSERT INTO audit_entries", () => flushAudit({ database }))).toBe(false);
});

it("the writer of views works for nobody's account", async () => {
  const { id } = await callerOf(world, editor).create({ text: "one", publish: true });
  expect(await chargedFor("document_views", () => recordView(database, actor, id, new Date()))).toBe(false);
  await flushViews(database);
});

it("the announcement of commits and the wait for the disk, which requests share, work for nobody's account", async () => {
  const announce = () => database.announce({ channel: "kb_test", payload: newId() });
  expect(await chargedFor("pg_notify", announce)).toBe(false);
  expect(await chargedFor("pg_logical_emit_message", () => database.readsOnDisk())).toBe(false);
});

it("a notification is received outside of the request that subscribed first", async () => {
  const received: boolean[] = [];
  const stop = withCpuMeter(meter, () => database.listen("kb_test", () => void received.push(isCharged())));
  const announce = (): void => withCpuMeter(meter, () => database.announce({ channel: "kb_test", payload: newId() }));
  // The first ones may be sent before the process listens.
  const receive = (): number => {
    announce();
    return received.length;
  };
  await expect.poll(receive, { timeout: 10_000 }).toBeGreaterThan(0);
  stop();
  expect(received).not.toContain(true);
});
