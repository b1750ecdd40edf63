import { Pieces, piecesOf, type Random, randomOf, readSteps, Typist } from "@kb/live/testing";
import { schema } from "markdown-codec/schema";
import { afterAll, expect, it } from "vitest";
import { invoke, operations } from "../index.ts";
import { callerOf, outcomeOf } from "../testing/caller.ts";
import { inApp, LiveClient } from "../testing/live-client.ts";
import { operationNamed } from "../testing/matrix/invoke-operation.ts";
import { otherInstance } from "../testing/other-instance.ts";
import { testWorld } from "../testing/test-world.ts";

// People type, undo and lose messages, while REST appends, replaces and restores, on two instances that share one PostgreSQL.

const runs = Number(process.env.KB_FUZZ_RUNS ?? 6);
const firstSeed = Number(process.env.KB_FUZZ_SEED ?? Date.now() % 2 ** 31);
const turns = 40;

const { test, world } = await testWorld();
const other = otherInstance(test.url, world.service.appUrl);
afterAll(() => other.close());
const { editor, admin } = world.people;

type Node = ReturnType<typeof schema.nodeFromJSON>;
type Call = (name: string, input: object) => Promise<unknown>;

/** Calls of a person, of which each goes to one of the two instances. */
const callsOf = (actor: typeof editor.actor, random: Random): Call => {
  return (name, input) =>
    random.chance(0.5) ? invoke(world.service, operationNamed(name), actor, input) : other.invoke(name, actor, input);
};

type Batch = Awaited<ReturnType<LiveClient["batches"]>>["batches"][number];

/** One document, and what was done in it. */
class Run {
  readonly pieces = new Pieces();
  readonly typists: Typist[] = [];
  readonly #random: Random;
  readonly #reader: LiveClient;
  readonly #start: Node;
  readonly #rest: Call;
  readonly #person: Call;
  log: Batch[] = [];

  constructor(random: Random, reader: LiveClient, start: Node) {
    this.#random = random;
    this.#reader = reader;
    this.#start = start;
    this.#rest = callsOf(admin.actor, random);
    this.#person = callsOf(inApp(editor), random);
    for (let index = 0; index < 3; index += 1) this.typists.push(new Typist(crypto.randomUUID(), start, this.pieces));
  }

  get documentId(): string {
    return this.#reader.documentId;
  }

  /** Does up to four things at the same time. */
  async turn(): Promise<void> {
    const things = Array.from({ length: 1 + this.#random.below(4) }, () => this.#doSomething());
    await Promise.all(things);
  }

  async #doSomething(): Promise<void> {
    const random = this.#random;
    if (random.chance(0.15)) return this.#editOverRest();
    const typist = random.pick(this.typists);
    if (typist === undefined) return;
    typist.write(random);
    if (random.chance(0.5)) await this.#read(typist);
    if (random.chance(0.6)) await this.#send(typist);
  }

  /** A message can be lost on the way there or back, or arrive twice: the typist learns only from the log what was accepted. */
  async #send(typist: Typist): Promise<void> {
    const push = typist.send();
    if (push === null || this.#random.chance(0.1)) return;
    const { lineage, schema: version } = this.#reader;
    const batch = {
      documentId: this.documentId,
      lineage,
      schema: version,
      clientId: push.clientId,
      seq: push.sequence,
      base: push.base,
    };
    const copies = this.#random.chance(0.2) ? 2 : 1;
    const sent = Array.from({ length: copies }, () =>
      outcomeOf(this.#person("live.push", { ...batch, steps: JSON.parse(push.steps) })),
    );
    // A copy that comes after the next batch of its client is an old one.
    for (const outcome of await Promise.all(sent)) expect(["done", "unavailable", "conflict"]).toContain(outcome);
  }

  async #read(typist: Typist): Promise<void> {
    const { batches } = await this.#reader.batches(typist.version);
    for (const batch of batches) typist.read(loggedBatch(batch));
  }

  async #editOverRest(): Promise<void> {
    const random = this.#random;
    const piece = this.pieces.write();
    const id = this.documentId;
    const edits: readonly (() => Promise<unknown>)[] = [
      () => this.#rest("documents.edit", { id, op: "append", markdown: `Appended ${piece}` }),
      () => this.#rest("documents.edit", { id, op: "prepend", markdown: `- ${piece}` }),
      () => this.#rest("documents.edit", { id, op: "replace_section", heading: "Two", markdown: `Replaced ${piece}` }),
      () => this.#rest("documents.edit", { id, op: "insert_after_heading", heading: "One", markdown: piece }),
      () => this.#restore(),
    ];
    const isRestore = random.chance(0.15);
    const edit = isRestore ? edits[4] : random.pick(edits.slice(0, 4));
    const outcome = await outcomeOf(edit?.() ?? Promise.resolve());
    expect(isRestore ? ["done", "not_found"] : ["done", "heading_not_found"]).toContain(outcome);
    if (outcome !== "done" || isRestore) this.pieces.removed.add(piece);
  }

  async #restore(): Promise<void> {
    const { data } = await callerOf(world, editor).revisions(this.documentId);
    const revision = this.#random.pick(data)?.revision ?? 1;
    await this.#rest("documents.revisions.restore", { id: this.documentId, revision });
  }

  /** Lets everybody send and read until nothing is left. */
  async settle(): Promise<void> {
    for (let round = 0; round < 100 && this.typists.some(({ isSettled }) => !isSettled); round += 1) {
      for (const typist of this.typists) {
        const push = typist.send();
        if (push !== null) await this.#send(typist);
        await this.#read(typist);
      }
    }
    await callerOf(world, editor).get(this.documentId);
    for (const typist of this.typists) {
      for (let version = -1; version < typist.version; ) {
        version = typist.version;
        await this.#read(typist);
      }
    }
    for (let since = 0; ; since = this.log.length) {
      const { batches } = await this.#reader.batches(since);
      if (batches.length === 0) break;
      this.log.push(...batches);
    }
  }

  /** Replays the log. What a change over REST removes was removed on purpose, everything else by the typists themselves. */
  replay(): Node {
    let doc = this.#start;
    for (const batch of this.log) {
      const before = doc;
      for (const step of readSteps(schema, JSON.stringify(batch.steps))) {
        const { doc: next, failed } = step.apply(doc);
        if (next === null) throw new Error(`batch ${batch.version} does not apply: ${failed}`);
        doc = next;
      }
      if (batch.kind === "api_key") this.pieces.noteChange(before, doc);
      if (batch.kind === "system") expect(piecesOf(doc.textContent)).toEqual(piecesOf(before.textContent));
    }
    return doc;
  }
}

/** An absent list of origins means that each step was accepted. */
function loggedBatch({ version, clientId, seq, steps, origins }: Batch) {
  const all = origins ?? steps.map((_, index) => index);
  return { version, clientId, sequence: seq, steps: JSON.stringify(steps), origins: all };
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

async function startRun(seed: number): Promise<Run> {
  const text = "# One\n\nSome text of a page.\n\n- a\n- b\n\n## Two\n\nMore text.\n\n> A quote.";
  const { id } = await callerOf(world, editor).create({ text, publish: true });
  const reader = new LiveClient(world, editor, id);
  const { content } = await reader.open();
  return new Run(randomOf(seed), reader, schema.nodeFromJSON(content));
}

async function storedContent(documentId: string): Promise<Node> {
  const { content } = await invoke(world.service, operations.openLive, inApp(editor), { documentId });
  return schema.nodeFromJSON(content);
}

it("several people type on two instances while REST edits: nothing is lost, nothing diverges, each batch is in the log once", {
  timeout: 3_600_000,
}, async () => {
  const total = { batches: 0, pieces: 0, orphaned: 0 };
  for (let index = 0; index < runs; index += 1) {
    const seed = firstSeed + index;
    const run = await startRun(seed);
    for (let turn = 0; turn < turns; turn += 1) await run.turn();
    await run.settle();
    const { log, typists, pieces } = run;
    const replayed = run.replay();
    expect(replayed.eq(await storedContent(run.documentId)), `seed ${seed}: the body is the log`).toBe(true);
    expect(
      typists.map(({ doc, isSettled }) => isSettled && doc.eq(replayed)),
      `seed ${seed}`,
    ).toEqual([true, true, true]);
    expect(
      log.map(({ version }) => version),
      `seed ${seed}`,
    ).toEqual(upTo(log.length));
    for (const { id } of typists) {
      const numbers = log.filter(({ clientId }) => clientId === id).map(({ seq }) => seq);
      expect(numbers, `seed ${seed}: each batch once, in order`).toEqual(upTo(numbers.length));
    }
    const there = piecesOf(replayed.textContent);
    const kept = piecesOf(typists.flatMap(({ orphans }) => orphans).join(""));
    const lost = pieces.written.filter((piece) => !there.has(piece) && !pieces.removed.has(piece) && !kept.has(piece));
    expect(lost, `seed ${seed}: lost without trace`).toEqual([]);
    total.batches += log.length;
    total.pieces += pieces.written.length;
    total.orphaned += pieces.written.filter((piece) => kept.has(piece) && !there.has(piece)).length;
  }
  console.info(`live editing: ${runs} runs from KB_FUZZ_SEED=${firstSeed}, ${JSON.stringify(total)}`);
});
