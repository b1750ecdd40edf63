import { type Database, sql } from "@kb/db";
import { contentOf } from "@kb/live";
import { send } from "../log-writer.ts";
import type { ChaosAssistant } from "./chaos-assistant.ts";
import type { ChaosPerson } from "./chaos-person.ts";
import { piecesIn } from "./pieces.ts";
import { type ReplayedLog, replayLog } from "./replayed-log.ts";

/** A document, the people who typed in it, and the assistants who may have. */
export type ChaosDocument = {
  readonly id: string;
  /** The content before anybody wrote, editor JSON as text. */
  readonly first: string;
  readonly people: readonly ChaosPerson[];
  readonly assistants: readonly ChaosAssistant[];
};

/** Reads the text of a document by one way into the service. */
export type Reading = { readonly name: string; readonly read: (id: string) => Promise<string> };

/** The text that a reading has shown. */
export type Shown = { readonly name: string; readonly text: string };

/** Reads a document by each of the ways. */
export const readBy = (readings: readonly Reading[], id: string): Promise<readonly Shown[]> =>
  Promise.all(readings.map(async ({ name, read }) => ({ name, text: await read(id) })));

/** Returns what is wrong with a document at the end, when all tabs are saved; nothing, if all is well. */
export async function problemsOf(
  database: Database,
  document: ChaosDocument,
  shownBy: readonly Shown[],
): Promise<readonly string[]> {
  const { id, first, people, assistants } = document;
  const replayed = await replayLog(database, id, first);
  const problems = [...replayed.problems, ...problemsOfPieces(replayed, writtenIn(document))];
  const attempts = assistants.reduce((sum, { restores }) => sum + restores, 0);
  if (replayed.restored > attempts) problems.push(`${replayed.restored} restores are in the log, of ${attempts}`);
  for (const { name, text } of shownBy) {
    if (isOther(text, replayed)) problems.push(`${name} shows another text than that of the log`);
  }
  const screens = new Set(people.map(({ session }) => JSON.stringify(session?.state.doc.toJSON())));
  if (screens.size !== 1) problems.push(`the ${people.length} tabs show ${screens.size} different documents`);
  const [shown = ""] = screens;
  if (isOther(shown, replayed)) problems.push("the tabs show another text than that of the log");
  return problems.map((problem) => `${id}: ${problem}`);
}

/** Returns the pieces of a document that the service has acknowledged so far. */
export function writtenIn({ id, people, assistants }: ChaosDocument): readonly string[] {
  const ofAssistants = assistants.flatMap(({ acknowledged }) => acknowledged).filter((one) => one.documentId === id);
  return [...people.flatMap(({ acknowledged }) => acknowledged), ...ofAssistants.map(({ piece }) => piece)];
}

/** Returns what is wrong with a document in a restored backup: all that was acknowledged before it began has to be in its log. */
export async function problemsOfBackup(
  restored: Database,
  { id, first }: ChaosDocument,
  before: readonly string[],
): Promise<readonly string[]> {
  const replayed = await replayLog(restored, id, first);
  const [row] = await restored.acrossTeams.rows<{ content: string; batches: string[] }>(sql`
    SELECT b.content::text AS content,
      ARRAY(SELECT s.steps::text FROM live_batches s JOIN live_documents l USING ("teamId", "documentId")
        WHERE s."documentId" = b."documentId" AND s.version > l."savedVersion" ORDER BY s.version) AS batches
    FROM document_bodies b WHERE b."documentId" = ${id}::uuid`);
  const problems = [...replayed.problems, ...problemsOfPieces(replayed, before)];
  if (row === undefined || isOther(JSON.stringify(contentOf(row)), replayed)) {
    problems.push("the saved text is another than that of the log");
  }
  return problems.map((problem) => `${id}, restored: ${problem}`);
}

function problemsOfPieces({ written }: ReplayedLog, acknowledged: readonly string[]): string[] {
  const lost = acknowledged.filter((piece) => !written.has(piece));
  const doubled = [...written].filter(([, times]) => times > 1).map(([piece]) => piece);
  return [
    ...lost.map((piece) => `${piece} was acknowledged, and is not in the log`),
    ...doubled.map((piece) => `${piece} was written twice`),
  ];
}

/** Tells whether a text has other pieces than the end of the log, or in another order. */
const isOther = (text: string, { pieces }: ReplayedLog): boolean => piecesIn(text).join() !== pieces.join();

/** Returns the readings over REST of each instance. */
export function readingsOver(ports: readonly number[], reader: Parameters<typeof send>[1]): Reading[] {
  return ports.map((port, index) => ({
    name: `REST of instance ${index + 1}`,
    read: async (id) => (await send<{ text: string }>(port, reader, `/api/v1/documents/${id}`)).text,
  }));
}
