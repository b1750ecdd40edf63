import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { documentOf } from "../../document-of.ts";
import { ChaosAssistant } from "./chaos-assistant.ts";
import { ChaosPerson } from "./chaos-person.ts";
import { ChaosSite } from "./chaos-site.ts";
import { type ChaosDocument, problemsOf, problemsOfBackup } from "./check-outcome.ts";

// `live:chaos --minutes 30` lets 12 people and 2 assistants write in 3 documents on two instances, while processes and PostgreSQL are
// killed, networks are cut, tabs crash, the service is updated and backed up. Exits with 1 if a piece of acknowledged text is lost or
// doubled, a batch is in a log twice, or two readers see different documents.

const documentCount = 3;
const peopleInDocument = 4;
const networkCount = 2;
const calmMs = 4_000;
const cutMs = 4_000;

const { values } = parseArgs({ options: { minutes: { type: "string", default: "30" } } });
const endsAt = performance.now() + Number(values.minutes) * 60_000;

type Scene = { readonly site: ChaosSite; readonly documents: readonly ChaosDocument[] };
/** Something that goes wrong. Returns what is wrong with its outcome. */
type Disaster = (scene: Scene) => Promise<readonly string[]>;

const nothing: readonly string[] = [];
let turn = 0;

const disasters: Readonly<Record<string, Disaster>> = {
  "an instance is killed": async ({ site }) => {
    await site.kill(turn % 2);
    return nothing;
  },
  "a network is cut": async ({ site }) => {
    const network = site.networks[turn % networkCount] ?? [];
    await Promise.all(network.map((proxy) => proxy.cut()));
    await pause(cutMs);
    await Promise.all(network.map((proxy) => proxy.restore()));
    return nothing;
  },
  "tabs crash": async ({ documents }) => {
    for (const { people } of documents) people[turn % people.length]?.crash();
    return nothing;
  },
  "the worker is killed": async ({ site }) => {
    await site.kill(2);
    return nothing;
  },
  "a network is silent": async ({ site }) => {
    const network = site.networks[turn % networkCount] ?? [];
    for (const proxy of network) proxy.pause();
    await pause(cutMs);
    await Promise.all(network.map((proxy) => proxy.restore()));
    return nothing;
  },
  "PostgreSQL is killed": async ({ site }) => {
    await site.killDatabase();
    return nothing;
  },
  "all processes are restarted, one after another": async ({ site }) => {
    await site.restartOneByOne();
    return nothing;
  },
  "a backup is made and restored": async ({ site, documents }) => {
    const before = new Map(documents.map(({ id, people }) => [id, people.flatMap(({ acknowledged }) => acknowledged)]));
    const restored = await site.restoredBackup(`restored_${turn}`);
    return problemsOfBackup(restored, before).finally(() => restored.close());
  },
};

async function main(): Promise<void> {
  const site = await ChaosSite.open(networkCount);
  try {
    const scene = { site, documents: await openDocuments(site) };
    const people = scene.documents.flatMap((document) => document.people);
    const assistants = new Set(scene.documents.flatMap((document) => document.assistants));
    const typing = people.map((person) => person.type());
    const writing = [...assistants].map((assistant) => assistant.write());
    const problems = await Promise.race([bringDisasters(scene), failureOf([...typing, ...writing])]);
    for (const one of [...people, ...assistants]) one.stop();
    await Promise.all([...typing, ...writing]);
    await showSameVersion(scene);
    for (const document of scene.documents) problems.push(...(await problemsOf(site, document)));
    await Promise.all(people.map((person) => person.close()));
    report(people, assistants, problems);
  } finally {
    await site.close();
  }
}

async function openDocuments(site: ChaosSite): Promise<readonly ChaosDocument[]> {
  const ids = await Promise.all(Array.from({ length: documentCount }, () => site.createDocument(documentOf(5_000))));
  const assistants = ["x", "y"].map((name, index) => new ChaosAssistant(name, personOf(site, index), ids, site.ports));
  return ids.map((id, index) => ({
    id,
    assistants,
    people: Array.from({ length: peopleInDocument }, (_, place) => {
      const number = index * peopleInDocument + place;
      const network = site.networks[number % networkCount] ?? [];
      // A letter of their own, so that no piece of text is part of another.
      return new ChaosPerson(`${"abcdefghijkl".charAt(number)}`, personOf(site, number + 2), id, network);
    }),
  }));
}

function personOf({ people }: ChaosSite, index: number) {
  const person = people[index];
  if (person === undefined) throw new Error("there are too few people");
  return person;
}

async function bringDisasters(scene: Scene): Promise<string[]> {
  const problems: string[] = [];
  const list = Object.entries(disasters);
  for (; performance.now() < endsAt; turn += 1) {
    await pause(calmMs);
    const [name, happen] = list[turn % list.length] ?? [];
    if (name === undefined || happen === undefined) throw new Error("there is no disaster");
    const found = await happen(scene);
    problems.push(...found);
    const saved = scene.documents.flatMap(({ people }) => people.map(({ acknowledged }) => acknowledged.length));
    console.log(
      `${name}; ${saved.reduce((sum, count) => sum + count, 0)} pieces acknowledged, ${problems.length} problems`,
    );
  }
  return problems;
}

/** Never returns: a person or an assistant that fails ends the run. */
async function failureOf(work: readonly Promise<void>[]): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  for (const one of work) one.catch(reject);
  return promise;
}

/** Waits until all tabs of a document show the same, for at most half a minute: `problemsOf` reports those that do not. */
async function showSameVersion({ documents }: Scene): Promise<void> {
  const deadline = performance.now() + 30_000;
  const isSame = (): boolean =>
    documents.every(
      ({ people }) => new Set(people.map(({ session }) => JSON.stringify(session?.state.doc.toJSON()))).size === 1,
    );
  while (!isSame() && performance.now() < deadline) await pause(200);
}

function report(
  people: readonly ChaosPerson[],
  assistants: ReadonlySet<ChaosAssistant>,
  problems: readonly string[],
): void {
  const count = (of: (person: ChaosPerson) => readonly string[]): number =>
    people.reduce((sum, person) => sum + of(person).length, 0);
  const appended = [...assistants].reduce((sum, assistant) => sum + assistant.appended.length, 0);
  console.log(
    `${turn} disasters: ${count((one) => one.acknowledged)} pieces of people and ${appended} of assistants acknowledged`,
  );
  console.log(
    `${count((one) => one.uncertain)} on their way when a tab crashed, ${count((one) => one.orphaned)} without a place`,
  );
  for (const problem of problems) console.log(problem);
  console.log(problems.length === 0 ? "Nothing is lost, doubled or different." : `${problems.length} problems`);
  if (problems.length > 0) process.exitCode = 1;
}

await main();
