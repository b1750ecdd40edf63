import { afterAll, expect, it } from "vitest";
import { invoke, operations } from "../index.ts";
import { callerOf } from "../testing/caller.ts";
import { inApp, LiveClient } from "../testing/live-client.ts";
import { testWorld } from "../testing/test-world.ts";
import { LiveFeed } from "./live-feed.ts";
import { LiveFollower } from "./live-follower.ts";

const texts: string[] = [];
const { test, world } = await testWorld({}, { onQuery: (text) => texts.push(text) });
const feed = new LiveFeed({ database: test.database });
afterAll(() => feed.close());
const { admin, editor } = world.people;

async function follow(documentId: string) {
  const client = new LiveClient(world, editor, documentId);
  const { lineage, version } = await client.open();
  const received: string[] = [];
  const note = (event: string) => () => void received.push(event);
  const follower = new LiveFollower(
    inApp(editor),
    documentId,
    { lineage, version },
    {
      batch: note("batch"),
      saved: note("saved"),
      access: ({ canWrite }) => void received.push(canWrite ? "writes" : "reads"),
      presence: note("presence"),
      reset: note("reset"),
      gone: note("gone"),
    },
  );
  feed.follow(follower);
  return received;
}

it("people who left while batches were read for a follower are not shown to it again", {
  timeout: 60_000,
}, async () => {
  const { id: documentId } = await callerOf(world, admin).create({ text: "one", publish: true });
  const { lineage, version } = await new LiveClient(world, editor, documentId).open();
  const shown: string[] = [];
  const ignore = (): void => {};
  const follower = new LiveFollower(
    inApp(editor),
    documentId,
    { lineage, version },
    {
      presence: (person) => void shown.push("leave" in person ? "left" : "here"),
      batch: ignore,
      saved: ignore,
      access: ignore,
      reset: ignore,
      gone: ignore,
    },
  );
  const receive = follower.receive.bind(follower);
  let received = 0;
  let isSlow = false;
  let goOn = ignore;
  follower.receive = async (...head) => {
    await receive(...head);
    if (isSlow) await new Promise<void>((resolve) => (goOn = resolve));
    received += 1;
  };
  const tell = (hasLeft: boolean) =>
    feed.tell({
      teamId: world.teamId,
      documentId,
      tabId: documentId,
      userId: admin.actor.userId,
      caret: null,
      hasLeft,
    });
  const end = feed.follow(follower);
  tell(false);
  await expect.poll(() => shown, { timeout: 20_000 }).toEqual(["here"]);
  isSlow = true;
  await expect.poll(() => goOn !== ignore, { timeout: 20_000 }).toBe(true);
  tell(true);
  await expect.poll(() => shown, { timeout: 20_000 }).toEqual(["here", "left"]);
  isSlow = false;
  const before = received;
  goOn();
  await expect.poll(() => received, { timeout: 20_000 }).toBeGreaterThan(before + 1);
  end();
  expect(shown).toEqual(["here", "left"]);
});

it("a change in the team leads to one statement for the access of all followers, and to nothing without one", {
  timeout: 90_000,
}, async () => {
  const { id: collectionId } = await callerOf(world, admin).createCollection({ name: "Shared" });
  const allow = (defaultAccess: string) =>
    invoke(world.service, operations.setDefaultAccess, inApp(admin), { id: collectionId, defaultAccess });
  await allow("write");
  const documents = await Promise.all(
    Array.from({ length: 20 }, () => callerOf(world, admin).create({ collectionId, text: "one", publish: true })),
  );
  const all = await Promise.all(documents.map(({ id }) => follow(id)));
  const lastEvents = () => new Set(all.map((received) => received.at(-1)));
  await expect.poll(() => all.every((received) => received.includes("writes")), { timeout: 20_000 }).toBe(true);
  const checks = () => texts.filter((text) => text.includes("WITH ORDINALITY")).length;
  const polls = () => texts.filter((text) => text.includes("LEFT JOIN live_documents")).length;
  const earlier = { polls: polls(), checks: checks() };
  await expect.poll(polls, { timeout: 20_000 }).toBeGreaterThan(earlier.polls + 2);
  expect(checks()).toBe(earlier.checks);
  await allow("read");
  await expect.poll(() => all.every((received) => received.includes("reads")), { timeout: 20_000 }).toBe(true);
  expect(checks()).toBe(earlier.checks + 1);
  await allow("none");
  await expect.poll(lastEvents, { timeout: 20_000 }).toEqual(new Set(["gone"]));
});

it("a batch is read once for all who follow its document", { timeout: 60_000 }, async () => {
  const { id } = await callerOf(world, admin).create({ text: "one", publish: true });
  const all = await Promise.all(Array.from({ length: 5 }, () => follow(id)));
  await expect.poll(() => all.every((received) => received.includes("writes")), { timeout: 20_000 }).toBe(true);
  const reads = () => texts.filter((text) => text.includes("WHERE p.before <")).length;
  const typist = new LiveClient(world, admin, id);
  await typist.open();
  const before = reads();
  await typist.type("zero ");
  await expect.poll(() => all.every((received) => received.includes("batch")), { timeout: 20_000 }).toBe(true);
  expect(reads()).toBe(before + 1);
  expect(all.map((received) => received.filter((event) => event === "batch"))).toEqual(Array(5).fill(["batch"]));
});
