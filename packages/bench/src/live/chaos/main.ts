import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { admin } from "@kb/core";
import { sql } from "@kb/db";
import { documentOf } from "../../document-of.ts";
import { AssistantConnection, type Negotiation } from "./assistant-connection.ts";
import { ChaosAssistant, headingOf } from "./chaos-assistant.ts";
import { ChaosPerson, typedHeading } from "./chaos-person.ts";
import { ChaosSite } from "./chaos-site.ts";
import { type ChaosDocument, problemsOf, type Reading, readBy, readingsOver } from "./check-outcome.ts";
import { disasters } from "./disasters.ts";

// `live:chaos --minutes 30` lets 12 people and 2 assistants write in 3 documents through the proxy of the compose file, while
// processes and PostgreSQL are killed, networks are cut, tabs crash, the service is updated and backed up. Exits with 1 if a piece of
// acknowledged text is not in the log exactly once, something else than a restore takes text away, or two readers see different documents.

const documentCount = 3;
const peopleInDocument = 4;
const networkCount = 2;
const calmMs = 4_000;
/** The assistants, by the letters of what they write. */
const negotiations: Readonly<Record<string, Negotiation>> = { x: "legacy", y: "auto" };

const { values } = parseArgs({ options: { minutes: { type: "string", default: "30" } } });
const durationMs = Number(values.minutes) * 60_000;

async function main(): Promise<void> {
  const interrupted = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => interrupted.abort(signal));
  const site = await ChaosSite.open(networkCount);
  try {
    await run(site, await openDocuments(site), interrupted.signal);
  } finally {
    await site.close();
  }
}

async function run(site: ChaosSite, documents: readonly ChaosDocument[], interrupted: AbortSignal): Promise<void> {
  const people = documents.flatMap((document) => document.people);
  const assistants = [...new Set(documents.flatMap((document) => document.assistants))];
  const failed = new AbortController();
  const work = [...people.map((person) => person.type()), ...assistants.map((assistant) => assistant.write())];
  for (const one of work) one.catch((error: unknown) => failed.abort(error));
  try {
    const { count, problems } = await bringDisasters(site, documents, AbortSignal.any([failed.signal, interrupted]));
    for (const one of [...people, ...assistants]) one.stop();
    await Promise.all(work);
    interrupted.throwIfAborted();
    await showSameVersion(documents);
    const readings = await openReadings(site);
    // Before the logs are replayed, which lets no event happen for minutes: connections end meanwhile.
    const shown = await Promise.all(documents.map(({ id }) => readBy(readings, id)));
    for (const [index, document] of documents.entries()) {
      problems.push(...(await problemsOf(site.database, document, shown[index] ?? [])));
    }
    await Promise.all(people.map((person) => person.close()));
    report(count, people, assistants);
    for (const problem of problems) console.log(problem);
    console.log(problems.length === 0 ? "Nothing is lost, doubled or different." : `${problems.length} problems`);
    if (problems.length > 0) process.exitCode = 1;
  } catch (error) {
    // Nobody waits any longer for a service that is about to end.
    for (const assistant of assistants) assistant.stop();
    for (const person of people) person.giveUp();
    throw error;
  }
}

const text = [...Object.keys(negotiations).map(headingOf), typedHeading]
  .map((heading) => `## ${heading}\n\nNothing yet.\n\n`)
  .join("");

async function openDocuments(site: ChaosSite): Promise<readonly ChaosDocument[]> {
  const { people, service, networks } = site;
  const ids = await Promise.all(
    Array.from({ length: documentCount }, () => site.createDocument(text + documentOf(5_000))),
  );
  const origins = networks.map(({ url }) => new URL(url).origin);
  const originOf = (number: number): string => origins[number % origins.length] ?? "";
  const assistants: ChaosAssistant[] = [];
  for (const [index, [name, negotiation]] of Object.entries(negotiations).entries()) {
    const key = await createKey(site, index);
    assistants.push(new ChaosAssistant(name, ids, new AssistantConnection(originOf(index), key, negotiation)));
  }
  return Promise.all(
    ids.map(async (id, index) => {
      const [row] = await service.database.acrossTeams.rows<{ first: string }>(
        sql`SELECT b.content::text AS first FROM document_bodies b WHERE b."documentId" = ${id}::uuid`,
      );
      if (row === undefined) throw new Error("a document has no body");
      const typists = Array.from({ length: peopleInDocument }, (_, place) => {
        const number = index * peopleInDocument + place;
        const person = people[number + assistants.length];
        if (person === undefined) throw new Error("there are too few people");
        return new ChaosPerson("abcdefghijkl".charAt(number), person, id, originOf(number));
      });
      return { id, first: row.first, assistants, people: typists };
    }),
  );
}

/** Creates an API key of a person. */
async function createKey({ service }: ChaosSite, person: number): Promise<string> {
  const userEmail = `person-${person}@example.com`;
  return (await admin.createApiKey(service, { userEmail, scopes: ["read", "write"], name: "Assistant" })).key;
}

/** Brings one disaster after another until the time is over, or until `signal`. */
async function bringDisasters(
  site: ChaosSite,
  documents: readonly ChaosDocument[],
  signal: AbortSignal,
): Promise<{ count: number; problems: string[] }> {
  const endsAt = performance.now() + durationMs;
  const problems: string[] = [];
  let count = 0;
  for (; performance.now() < endsAt; count += 1) {
    await pause(calmMs, undefined, { signal }).catch(() => signal.throwIfAborted());
    const disaster = disasters[count % disasters.length];
    if (disaster === undefined) throw new Error("there is no disaster");
    problems.push(...(await disaster.happen({ site, documents, round: Math.floor(count / disasters.length) })));
    const saved = documents.flatMap(({ people }) => people.map(({ acknowledged }) => acknowledged.length));
    const sum = saved.reduce((total, pieces) => total + pieces, 0);
    console.log(`${disaster.name}; ${sum} pieces acknowledged, ${problems.length} problems`);
  }
  signal.throwIfAborted();
  return { count, problems };
}

/** Waits until all tabs of a document show the same, for at most half a minute: `problemsOf` reports those that do not. */
async function showSameVersion(documents: readonly ChaosDocument[]): Promise<void> {
  const deadline = performance.now() + 30_000;
  const isSame = (): boolean =>
    documents.every(
      ({ people }) => new Set(people.map(({ session }) => JSON.stringify(session?.state.doc.toJSON()))).size === 1,
    );
  while (!isSame() && performance.now() < deadline) await pause(200);
}

/** Returns the ways to read a document: over REST and MCP, of each instance. */
async function openReadings(site: ChaosSite): Promise<readonly Reading[]> {
  const [reader] = site.people;
  const key = await createKey(site, 0);
  const overMcp = site.portsOf("mcp").map((port, index) => ({
    name: `MCP of instance ${index + 1}`,
    read: async (id: string): Promise<string> => {
      const connection = new AssistantConnection(`http://127.0.0.1:${port}`, key, "auto");
      const answer = await connection.call("get_document", { id, maxChars: 200_000 });
      await connection.close();
      return answer.kind === "done" ? String(answer.content.markdown) : "";
    },
  }));
  return [...readingsOver(site.portsOf("api"), reader), ...overMcp];
}

function report(count: number, people: readonly ChaosPerson[], assistants: readonly ChaosAssistant[]): void {
  const sum = (of: (person: ChaosPerson) => readonly string[]): number =>
    people.reduce((total, person) => total + of(person).length, 0);
  console.log(`${count} disasters: ${sum((one) => one.acknowledged)} pieces of people acknowledged`);
  console.log(
    `${sum((one) => one.uncertain)} on their way when a tab crashed, ${sum((one) => one.orphaned)} without a place`,
  );
  for (const { done, heading, unanswered } of assistants) {
    const parts = Object.entries(done).map(([what, times]) => `${times} ${what}`);
    console.log(`${heading}: ${parts.join(", ")}, ${unanswered} calls without an answer`);
  }
}

await main();
