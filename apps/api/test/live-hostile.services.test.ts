import { callerOf, createWorld, insertedText, type Person, testSecret, type World } from "@kb/core/testing";
import { sql } from "@kb/db";
import { type TestDatabase, testDatabase } from "@kb/db/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { LiveWriter, origin, type Post, postAs } from "./live-writer.ts";
import { type ServiceProcess, startProcess } from "./service-process.ts";

let base: TestDatabase;
let world: World;
let service: ServiceProcess;
beforeAll(async () => {
  base = await testDatabase();
  world = await createWorld(base.database);
  service = await startProcess({ DATABASE_URL: base.url, APP_URL: origin, PORT: "0", APP_SECRET: testSecret });
});
afterAll(async () => {
  await service?.end("SIGTERM");
  await base?.drop();
});

const batches = Number(process.env.KB_LIVE_BAD_BATCHES ?? 2_000);
/** On a busy machine an answer takes its time. */
const patienceMs = 120_000;
const connections = 64;
/** A batch is larger than this only in one of so many, because each takes 2 MB on both sides. */
const largeInEvery = 500;

type Opened = { readonly lineage: string; readonly schema: number; readonly version: number };
type Batch = Record<string, unknown>;
/** A kind of bad batch, and what is documented for it. */
type BadBatch = { readonly name: string; readonly error: string; readonly body: () => Batch | string };

const step = insertedText(1, "HOSTILE");

/** Batches of a client whose batch 1 was accepted, and of new clients; `other` is the client of somebody else. */
function badBatches(accepted: Batch, other: string): BadBatch[] {
  const next = { ...accepted, seq: 2, steps: [step] };
  const known = (name: string, fields: Batch): BadBatch => ({
    name,
    error: "409 conflict",
    body: () => ({ ...next, ...fields }),
  });
  const bad = (name: string, error: string, fields: Batch): BadBatch => ({
    name,
    error,
    body: () => ({ ...next, seq: 1, clientId: crypto.randomUUID(), ...fields }),
  });
  return [
    { name: "an accepted batch once more", error: "200 accepted", body: () => accepted },
    known("a number that was left out", { seq: 3 }),
    known("a number of the far future", { seq: 1_000 }),
    known("other steps with the number of an accepted batch", { seq: 1 }),
    known("the client of somebody else", { clientId: other }),
    bad("a forged author", "400 validation_error", { author: world.people.admin.id }),
    bad("a forged kind", "400 validation_error", { kind: "system" }),
    bad("a newer schema", "503 unavailable", { schema: 1_000 }),
    bad("a schema that never was", "400 validation_error", { schema: 0 }),
    bad("another log", "409 lineage_changed", { lineage: crypto.randomUUID() }),
    bad("a version of the future", "409 lineage_changed", { base: 1_000_000 }),
    bad("a step outside of the document", "422 steps_refused", { steps: [insertedText(1_000_000, "HOSTILE")] }),
    bad("a step of no type", "422 steps_refused", { steps: [{ stepType: "explode" }] }),
    bad("too many steps", "400 validation_error", { steps: Array.from({ length: 501 }, () => step) }),
    bad("no document", "404 not_found", { documentId: crypto.randomUUID() }),
    { name: "half of a text", error: "400 validation_error", body: () => JSON.stringify(next).slice(0, -9) },
    bad("2 MB", "413 payload_too_large", { steps: [insertedText(1, "HOSTILE".repeat(300_000))] }),
  ];
}

async function outcomeOf(reply: Response): Promise<string> {
  const body = await reply.json();
  return `${reply.status} ${reply.ok ? "accepted" : body.code}`;
}

/** Somebody with a batch in the log, and what they may send. */
async function hostileClient(person: Person, documentId: string, other: string) {
  const post = await postAs(world, person, () => [service.url], patienceMs);
  const { lineage, schema, version }: Opened = (await (await post("/api/live.open", { documentId })).json()).data;
  const clientId: string = crypto.randomUUID();
  const steps = [insertedText(1, `[${clientId}]`)];
  const accepted = { documentId, lineage, schema, clientId, seq: 1, base: version, steps };
  expect(await outcomeOf(await post("/api/live.push", accepted))).toBe("200 accepted");
  const kinds = badBatches(accepted, other);
  return { clientId, post, kinds: kinds.slice(0, -1), large: kinds.slice(-1) };
}

/** Sends one batch; notes an answer that is not documented for it. There may be too many of them for any. */
async function attack(post: Post, { name, error, body }: BadBatch, unexpected: Set<string>): Promise<string> {
  const outcome = await outcomeOf(await post("/api/live.push", body()));
  if (outcome !== "429 rate_limited" && outcome !== error) unexpected.add(`${name}: ${outcome}`);
  return outcome;
}

it(`${batches} bad batches at once have documented errors, leave the document as it is, and keep nobody from typing`, {
  timeout: Math.max(400_000, 200 * batches),
}, async () => {
  const { admin, editor, member } = world.people;
  const { id } = await callerOf(world, editor).create({
    collectionId: world.collections.open,
    text: "start",
    publish: true,
  });
  const writers = [
    new LiveWriter("a", await postAs(world, admin, () => [service.url], patienceMs)),
    new LiveWriter("b", await postAs(world, editor, () => [service.url], patienceMs)),
  ];
  const writing = writers.map((writer) => writer.write(id));
  for (const one of writing) one.catch(() => {});
  const written = (): number => Math.min(...writers.map(({ acknowledged }) => acknowledged.length));
  await expect.poll(written, { timeout: 60_000 }).toBeGreaterThan(1);
  const hostile = await hostileClient(member, id, writers[0]?.clientId ?? "");

  const unexpected = new Set<string>();
  const answered = new Set<string>();
  const before = written();
  const startedAt = performance.now();
  let sent = 0;
  const flood = async (): Promise<void> => {
    while (sent < batches || written() < before + 10) {
      sent += 1;
      const kinds = sent % largeInEvery === 1 ? hostile.large : hostile.kinds;
      const kind = kinds[sent % kinds.length];
      if (kind !== undefined) answered.add(await attack(hostile.post, kind, unexpected));
    }
  };
  await Promise.all(Array.from({ length: connections }, flood));
  const seconds = (performance.now() - startedAt) / 1_000;
  for (const writer of writers) writer.stop();
  await Promise.all(writing);

  expect([...unexpected]).toEqual([]);
  const documented = [...hostile.kinds, ...hostile.large].map(({ error }) => error);
  expect([...answered].sort()).toEqual([...new Set([...documented, "429 rate_limited"])].sort());
  const log = await base.database.rows<{ clientId: string; authorId: string }>(sql`SELECT "clientId", "authorId"
    FROM live_batches WHERE "teamId" = ${world.teamId}::uuid AND "documentId" = ${id}::uuid AND kind = 'session'`);
  const numbers = new Map(
    [...writers, { ...hostile, acknowledged: [1] }].map((one) => [one.clientId, one.acknowledged]),
  );
  for (const [clientId, acknowledged] of numbers) {
    expect(log.filter((batch) => batch.clientId === clientId)).toHaveLength(acknowledged.length);
  }
  expect(log.filter(({ clientId }) => !numbers.has(clientId))).toEqual([]);
  expect(new Set(log.filter(({ clientId }) => clientId === hostile.clientId).map(({ authorId }) => authorId))).toEqual(
    new Set([member.id]),
  );
  const text = (await callerOf(world, editor).get(id)).text ?? "";
  expect(text).not.toContain("HOSTILE");
  for (const { acknowledged } of writers) for (const piece of acknowledged) expect(text.split(piece)).toHaveLength(2);
  console.info(`${sent} bad batches in ${seconds.toFixed(1)} s; ${written() - before} of each writer meanwhile`);
});
