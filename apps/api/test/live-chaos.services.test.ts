import { setTimeout as pause } from "node:timers/promises";
import { callerOf, createWorld, insertedText, type Person, testSecret, type World } from "@kb/core/testing";
import { sql } from "@kb/db";
import { type TestDatabase, testDatabase } from "@kb/db/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type ServiceProcess, startProcess } from "./service-process.ts";

const origin = "http://localhost:3000";
/** Each kills one instance; every second one kills the worker too. */
const kills = Number(process.env.KB_LIVE_KILLS ?? 4);

let base: TestDatabase;
let world: World;
const running: ServiceProcess[] = [];
let environment: Record<string, string>;

beforeAll(async () => {
  base = await testDatabase();
  world = await createWorld(base.database);
  environment = { DATABASE_URL: base.url, APP_URL: origin, PORT: "0", APP_SECRET: testSecret };
  running.push(...(await Promise.all([start("api"), start("api"), start("worker")])));
}, 120_000);
afterAll(async () => {
  await Promise.all(running.map(({ end }) => end("SIGTERM")));
  await base?.drop();
}, 60_000);

const start = (app: string): Promise<ServiceProcess> => startProcess(environment, app);

/** Kills a process, and starts another one in its place. */
async function replace(place: number, app: string): Promise<void> {
  await running[place]?.end("SIGKILL");
  running[place] = await start(app);
}

type Batch = { readonly clientId: string; readonly seq: number };

/** Somebody who types without a pause, and sends each batch until it is acknowledged, to one instance or the other. */
class Writer {
  readonly clientId = crypto.randomUUID();
  readonly acknowledged: string[] = [];
  retries = 0;
  #isOver = false;
  readonly #name: string;
  readonly #person: Person;
  #turn = 0;

  constructor(name: string, person: Person) {
    this.#name = name;
    this.#person = person;
  }

  stop(): void {
    this.#isOver = true;
  }

  async write(documentId: string): Promise<void> {
    const { cookie, csrf } = await world.session(this.#person);
    const headers = { Cookie: cookie, Origin: origin, "X-CSRF-Token": csrf, "Content-Type": "application/json" };
    const post = (path: string, body: object): Promise<Response> => {
      this.#turn += 1;
      const { url } = running[this.#turn % 2] ?? { url: "" };
      return fetch(`${url}${path}`, {
        method: "POST",
        headers,
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(10_000),
      });
    };
    const { lineage, schema, version } = await this.#answerOf(() => post("/api/live.open", { documentId }));
    let since = version;
    while (!this.#isOver) {
      const seq = this.acknowledged.length + 1;
      const text = `[${this.#name}${seq}]`;
      const batch = {
        documentId,
        lineage,
        schema,
        clientId: this.clientId,
        seq,
        base: since,
        steps: [insertedText(1, text)],
      };
      since = (await this.#answerOf(() => post("/api/live.push", batch))).version;
      this.acknowledged.push(text);
      await pause(150);
    }
  }

  /** Asks until an instance answers. */
  async #answerOf(ask: () => Promise<Response>) {
    for (;;) {
      const reply = await ask().catch(() => null);
      if (reply?.status === 200) return (await reply.json()).data;
      if (reply !== null && ![429, 503].includes(reply.status))
        throw new Error(`${reply.status} ${await reply.text()}`);
      this.retries += 1;
      await pause(100);
    }
  }
}

it("while four people type, instances and the worker are killed: each acknowledged batch is in the log and the text once", {
  timeout: 300_000,
}, async () => {
  const { admin, editor } = world.people;
  const { id } = await callerOf(world, editor).create({ text: "start", publish: true });
  const writers = [admin, editor, admin, editor].map((person, index) => new Writer("abcd".charAt(index), person));
  const writing = writers.map((writer) => writer.write(id));
  // A failure is reported by the last line.
  for (const one of writing) one.catch(() => {});
  const acknowledged = (): number => writers.reduce((sum, writer) => sum + writer.acknowledged.length, 0);
  for (let kill = 0; kill < kills; kill += 1) {
    const before = acknowledged();
    await expect.poll(acknowledged, { timeout: 60_000 }).toBeGreaterThan(before + 8);
    await Promise.all([replace(kill % 2, "api"), ...(kill % 2 === 0 ? [replace(2, "worker")] : [])]);
  }
  for (const writer of writers) writer.stop();
  await Promise.all(writing);

  const log = await base.database.rows<Batch>(sql`SELECT "clientId", seq FROM live_batches
    WHERE "teamId" = ${world.teamId}::uuid AND "documentId" = ${id}::uuid AND kind = 'session' ORDER BY version`);
  const { text } = await callerOf(world, editor).get(id);
  for (const { clientId, acknowledged: pieces } of writers) {
    const numbers = log.filter((batch) => batch.clientId === clientId).map(({ seq }) => seq);
    expect(numbers).toEqual(pieces.map((_, index) => index + 1));
    for (const piece of pieces) expect(text?.split(piece).length, piece).toBe(2);
  }
  expect(log).toHaveLength(acknowledged());
  const retries = writers.reduce((sum, writer) => sum + writer.retries, 0);
  console.info(`live editing: ${kills} kills, ${acknowledged()} batches acknowledged, ${retries} sent again`);
});
