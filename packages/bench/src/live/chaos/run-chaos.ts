import { setTimeout as pause } from "node:timers/promises";
import { admin } from "@kb/core";
import { sql } from "@kb/db";
import { documentOf } from "../../document-of.ts";
import { AssistantConnection, type Negotiation } from "./assistant-connection.ts";
import { ChaosAssistant, headingOf } from "./chaos-assistant.ts";
import { ChaosPerson, typedHeading } from "./chaos-person.ts";
import { ChaosSite } from "./chaos-site.ts";
import { type ChaosDocument, problemsOf, type Reading, readBy, readingsOver, writtenIn } from "./check-outcome.ts";
import { disasters } from "./disasters.ts";

const documentCount = 3;
const networkCount = 2;
/** The assistants, by the letters of what they write. */
const negotiations: Readonly<Record<string, Negotiation>> = { x: "legacy", y: "auto" };
/** So much is acknowledged in each document between two disasters. */
const piecesBetween = 4;
/** Nothing is acknowledged for so long only if the service does not recover. */
const longestSilenceMs = 180_000;

/** How a run goes. */
export type ChaosOptions = {
  /** At most 4. */
  readonly peopleInDocument: number;
  /** The least time between two disasters. */
  readonly calmMs: number;
  /** Tells before each disaster, by the number of those before it, whether the run goes on. */
  readonly goesOn: (count: number) => boolean;
  /** Ends the run with its reason. */
  readonly signal?: AbortSignal;
  readonly report: (line: string) => void;
};

/** How a run ended. */
export type ChaosOutcome = {
  readonly disasters: number;
  readonly people: readonly ChaosPerson[];
  readonly assistants: readonly ChaosAssistant[];
  /** All that is wrong: nothing, if no text is lost, doubled or different. */
  readonly problems: readonly string[];
};

/** Lets people and assistants write through the proxy of the compose file, brings one disaster after another, and judges the outcome. */
export async function runChaos(options: ChaosOptions): Promise<ChaosOutcome> {
  const site = await ChaosSite.open(networkCount);
  try {
    return await run(site, await openDocuments(site, options.peopleInDocument), options);
  } finally {
    await site.close();
  }
}

async function run(site: ChaosSite, documents: readonly ChaosDocument[], options: ChaosOptions): Promise<ChaosOutcome> {
  const people = documents.flatMap((document) => document.people);
  const assistants = [...new Set(documents.flatMap((document) => document.assistants))];
  const failed = new AbortController();
  const signal = AbortSignal.any([failed.signal, ...(options.signal === undefined ? [] : [options.signal])]);
  const work = [...people.map((person) => person.type()), ...assistants.map((assistant) => assistant.write())];
  for (const one of work) one.catch((error: unknown) => failed.abort(error));
  try {
    const { count, problems } = await bringDisasters(site, documents, { ...options, signal });
    for (const one of [...people, ...assistants]) one.stop();
    await Promise.all(work);
    signal.throwIfAborted();
    await showSameVersion(documents);
    const readings = await openReadings(site);
    // Before the logs are replayed, which lets no event happen for minutes: connections end meanwhile.
    const shown = await Promise.all(documents.map(({ id }) => readBy(readings, id)));
    for (const [index, document] of documents.entries()) {
      problems.push(...(await problemsOf(site.database, document, shown[index] ?? [])));
    }
    await Promise.all(people.map((person) => person.close()));
    return { disasters: count, people, assistants, problems };
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

async function openDocuments(site: ChaosSite, peopleInDocument: number): Promise<readonly ChaosDocument[]> {
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

/** Brings one disaster after another while the run goes on, each once the one before it is over. */
async function bringDisasters(
  site: ChaosSite,
  documents: readonly ChaosDocument[],
  { calmMs, goesOn, report, signal }: ChaosOptions & { readonly signal: AbortSignal },
): Promise<{ count: number; problems: string[] }> {
  const problems: string[] = [];
  let count = 0;
  for (; goesOn(count); count += 1) {
    await pause(calmMs, undefined, { signal }).catch(() => signal.throwIfAborted());
    const disaster = disasters[count % disasters.length];
    if (disaster === undefined) throw new Error("there is no disaster");
    problems.push(...(await disaster.happen({ site, documents, round: Math.floor(count / disasters.length) })));
    await recover(documents, disaster.name, signal);
    const sum = documents.flatMap(({ people }) => people.flatMap(({ acknowledged }) => acknowledged)).length;
    report(`${disaster.name}; ${sum} pieces acknowledged, ${problems.length} problems`);
  }
  signal.throwIfAborted();
  return { count, problems };
}

/** Waits until more pieces are acknowledged in each document. @throws {Error} if that takes three minutes, and the reason of `signal` */
async function recover(documents: readonly ChaosDocument[], after: string, signal: AbortSignal): Promise<void> {
  const before = documents.map((document) => writtenIn(document).length);
  const deadline = performance.now() + longestSilenceMs;
  const isSilent = (document: ChaosDocument, index: number): boolean =>
    writtenIn(document).length < (before[index] ?? 0) + piecesBetween;
  while (documents.some(isSilent)) {
    if (performance.now() > deadline) throw new Error(`nothing was acknowledged in three minutes after ${after}`);
    await pause(100, undefined, { signal }).catch(() => signal.throwIfAborted());
  }
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
