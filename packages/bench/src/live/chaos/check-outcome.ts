import { type Database, sql } from "@kb/db";
import { contentOf } from "@kb/live";
import { send } from "../log-writer.ts";
import type { Person } from "../open-live-site.ts";
import type { ChaosAssistant } from "./chaos-assistant.ts";
import type { ChaosPerson } from "./chaos-person.ts";
import type { ChaosSite } from "./chaos-site.ts";

/** A document, the people who typed in it, and the assistants who may have. */
export type ChaosDocument = {
  readonly id: string;
  readonly people: readonly ChaosPerson[];
  readonly assistants: readonly ChaosAssistant[];
};

/** Returns what is wrong with a document at the end, when all tabs are saved; nothing, if all is well. */
export async function problemsOf(site: ChaosSite, document: ChaosDocument): Promise<readonly string[]> {
  const { id, people, assistants } = document;
  const [reader] = site.people;
  if (reader === undefined) throw new Error("nobody reads");
  const texts = await Promise.all(site.ports.map((port) => readText(port, reader, id)));
  const [text = ""] = texts;
  const problems = await problemsOfLog(site.database, id);
  if (new Set(texts).size !== 1) problems.push("the instances answer with different texts");
  const appended = assistants.flatMap((one) => one.appended).filter(({ documentId }) => documentId === id);
  const certain = [...people.flatMap(({ acknowledged }) => acknowledged), ...appended.map(({ piece }) => piece)];
  const uncertain = people.flatMap((person) => [...person.uncertain, ...person.orphaned]);
  for (const piece of certain) {
    const times = timesIn(text, piece);
    if (times !== 1) problems.push(`${piece} was acknowledged, and is in the text ${times} times`);
  }
  for (const piece of uncertain) if (timesIn(text, piece) > 1) problems.push(`${piece} is in the text twice`);
  const screens = new Set(people.map(({ session }) => JSON.stringify(session?.state.doc.toJSON())));
  if (screens.size !== 1) problems.push(`the ${people.length} tabs show ${screens.size} different documents`);
  const shown = people[0]?.session?.state.doc.textContent ?? "";
  for (const piece of certain) if (timesIn(shown, piece) !== 1) problems.push(`${piece} is not on the screens`);
  return problems.map((problem) => `${id}: ${problem}`);
}

/** Returns what is wrong with a restored backup: all that was acknowledged before it began has to be in its text and its log. */
export async function problemsOfBackup(
  restored: Database,
  before: ReadonlyMap<string, readonly string[]>,
): Promise<readonly string[]> {
  const problems: string[] = [];
  for (const [id, pieces] of before) {
    problems.push(...(await problemsOfLog(restored, id)));
    const [row] = await restored.acrossTeams.rows<{
      content: string;
      batches: string[];
    }>(sql`SELECT b.content::text AS content,
        ARRAY(SELECT s.steps::text FROM live_batches s JOIN live_documents l USING ("teamId", "documentId")
          WHERE s."documentId" = b."documentId" AND s.version > l."savedVersion" ORDER BY s.version) AS batches
      FROM document_bodies b WHERE b."documentId" = ${id}::uuid`);
    const text = row === undefined ? "" : JSON.stringify(contentOf(row));
    for (const piece of pieces) {
      if (timesIn(text, piece) !== 1) problems.push(`${id}: ${piece} is in the backup ${timesIn(text, piece)} times`);
    }
  }
  return problems;
}

async function problemsOfLog(database: Database, id: string): Promise<string[]> {
  const [log] = await database.acrossTeams.rows<{
    count: number;
    versions: number;
    batches: number;
    version: number;
  }>(sql`
    SELECT count(*)::int AS count, count(DISTINCT b.version)::int AS versions, max(l.version) AS version,
      count(DISTINCT (b."clientId", b.seq, CASE WHEN b.seq = 0 THEN b.version END))::int AS batches
    FROM live_documents l JOIN live_batches b USING ("teamId", "documentId") WHERE l."documentId" = ${id}::uuid`);
  if (log === undefined) return [];
  const problems: string[] = [];
  if (log.count !== log.version || log.versions !== log.version) problems.push(`${id}: the log has a gap`);
  if (log.batches !== log.count) problems.push(`${id}: a batch is in the log twice`);
  return problems;
}

async function readText(port: number, reader: Person, id: string): Promise<string> {
  return (await send<{ text: string }>(port, reader, `/api/v1/documents/${id}`)).text;
}

const timesIn = (text: string, piece: string): number => text.split(piece).length - 1;
