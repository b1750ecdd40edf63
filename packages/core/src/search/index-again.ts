import { setImmediate as nextTask, setTimeout as pause } from "node:timers/promises";
import { type Database, raw, type Sql, sql, stampMoment, type Tx } from "@kb/db";
import { ServiceError } from "../errors.ts";
import { maxOnEventLoop } from "../threads/max-on-event-loop.ts";
import { offload } from "../threads/offload.ts";
import type { SearchIndex } from "./index-document.ts";
import { indexMark, quoted } from "./vector.ts";
import { addTerms } from "./vocabulary.ts";

const batchSize = 20;

type Outdated = {
  readonly teamId: string;
  readonly id: string;
  readonly revision: number;
  readonly title: string;
  readonly tags: string[];
  readonly text: string;
  readonly content: string;
};

/** As the condition of the partial index spells it. */
const isOutdated = raw(`NOT (b.vector @@ '${quoted(indexMark).replaceAll("'", "''")}'::tsquery)`);

const beforeAll = { teamId: "00000000-0000-0000-0000-000000000000", id: "00000000-0000-0000-0000-000000000000" };

/**
 * Indexes the documents again that an earlier release has indexed. Changes neither their revision nor their time: what they
 * show stays the same. Returns their number.
 */
export async function indexOutdatedDocuments({ database }: { readonly database: Database }): Promise<number> {
  let indexed = 0;
  let last: Pick<Outdated, "teamId" | "id"> = beforeAll;
  for (;;) {
    const documents = await readOutdated(database, last);
    for (const document of documents) indexed += await indexAgain(database, document.teamId, [document]);
    const end = documents.at(-1);
    if (end === undefined) return indexed;
    last = end;
  }
}

function readOutdated(database: Database, after: Pick<Outdated, "teamId" | "id">): Promise<Outdated[]> {
  return readBodies(
    database,
    sql`SELECT * FROM document_bodies b WHERE ${isOutdated}
      AND (b."teamId", b."documentId") > (${after.teamId}::uuid, ${after.id}::uuid)
      ORDER BY b."teamId", b."documentId" LIMIT ${batchSize}`,
  );
}

/** Reads documents of the bodies that a statement selects, with their labels. */
function readBodies(database: Database, bodies: Sql): Promise<Outdated[]> {
  return database.rows<Outdated>(sql`SELECT d."teamId", d.id, d.revision, d.title, o.text, o.content::text AS content,
      ARRAY(SELECT t.name FROM document_tags dt JOIN tags t ON t."teamId" = dt."teamId" AND t.id = dt."tagId"
        WHERE dt."teamId" = d."teamId" AND dt."documentId" = d.id AND NOT t.restricted ORDER BY t.name) AS tags
    FROM (${bodies}) o
    JOIN documents d ON d."teamId" = o."teamId" AND d.id = o."documentId" ORDER BY d."teamId", d.id`);
}

/** The maximum number of small documents that are indexed together. */
const smallAtOnce = 50;

/**
 * Marks documents as outdated and indexes them after the commit, small ones first: large ones take too long for a transaction. The
 * transaction returns when all are indexed, or after `mostWaitMs`; what this process does not reach is left to `indexOutdatedDocuments`.
 */
export async function indexAfterCommit(tx: Tx, database: Database, teamId: string, ids: readonly string[]) {
  await tx.execute(sql`UPDATE document_bodies SET vector = ts_delete(vector, ${indexMark}::text)
    WHERE "teamId" = ${teamId}::uuid AND "documentId" = ANY(${ids}::uuid[])`);
  tx.afterCommit(async () => {
    const waiting = new AbortController();
    // Work that fails is left to the worker, whether anybody still waits for it or not.
    const work = indexDocuments(database, teamId, ids).catch(() => {});
    const tooLong = pause(mostWaitMs, undefined, { signal: waiting.signal }).catch(() => {});
    await Promise.race([work, tooLong]);
    waiting.abort();
  });
}

/** How long an answer waits for the index, which no reader has to wait for. */
const mostWaitMs = 5_000;

async function indexDocuments(database: Database, teamId: string, ids: readonly string[]): Promise<void> {
  const sizes = await database.rows<{ id: string; isSmall: boolean }>(sql`
    SELECT b."documentId" AS id, octet_length(b.markdown) <= ${maxOnEventLoop}::int AS "isSmall" FROM document_bodies b
    WHERE b."teamId" = ${teamId}::uuid AND b."documentId" = ANY(${ids}::uuid[])`);
  const small = sizes.filter(({ isSmall }) => isSmall).map(({ id }) => id);
  const large = sizes.filter(({ isSmall }) => !isSmall).map(({ id }) => [id]);
  const batches = Array.from({ length: Math.ceil(small.length / smallAtOnce) }, (_, n) =>
    small.slice(n * smallAtOnce, (n + 1) * smallAtOnce),
  );
  for (const batch of [...batches, ...large]) {
    const bodies = sql`SELECT * FROM document_bodies b
      WHERE b."teamId" = ${teamId}::uuid AND b."documentId" = ANY(${batch}::uuid[])`;
    await indexAgain(database, teamId, await readBodies(database, bodies));
  }
}

/** A document that takes too long keeps its index, so that the others behind it get theirs. */
function ignoreLimits(error: unknown): undefined {
  if (!(error instanceof ServiceError)) throw error;
}

type Indexed = SearchIndex & Pick<Outdated, "id" | "revision">;

/**
 * Indexes documents, except those that have changed since they were read: their writer has indexed them, or the next run does. Returns
 * the number of the others.
 */
async function indexAgain(database: Database, teamId: string, documents: readonly Outdated[]): Promise<number> {
  const entries: Indexed[] = [];
  for (const { id, revision, title, tags, text, content } of documents) {
    const input = { content, text, labels: { title, tags } };
    const entry = await offload(teamId, "indexOfStored", content.length, input).catch(ignoreLimits);
    if (entry !== undefined) entries.push({ id, revision, ...entry });
    // Other requests are served between two small documents.
    await nextTask();
  }
  return entries.length === 0 ? 0 : database.transaction((tx) => writeEntries(tx, teamId, entries));
}

/** Advances the clock of a team by a millisecond: nothing that this work changes shows its time. */
const nextMoment = new Date(0);

async function writeEntries(tx: Tx, teamId: string, entries: readonly Indexed[]): Promise<number> {
  const revisions = entries.map(({ revision }) => revision);
  const locked = await tx.rows<{ id: string }>(sql`SELECT d.id FROM documents d
    JOIN unnest(${entries.map(({ id }) => id)}::uuid[], ${revisions}::int[]) AS n(id, revision) ON d.id = n.id
    WHERE d."teamId" = ${teamId}::uuid AND d.revision = n.revision ORDER BY d.id FOR UPDATE OF d`);
  const unchanged = new Set(locked.map(({ id }) => id));
  const written = entries.filter(({ id }) => unchanged.has(id));
  if (written.length === 0) return 0;
  const column = (name: "id" | "folded" | "vector"): string[] => written.map((entry) => entry[name]);
  await tx.execute(sql`UPDATE document_bodies b SET folded = n.folded, vector = n.vector::tsvector
    FROM unnest(${column("id")}::uuid[], ${column("folded")}::text[], ${column("vector")}::text[]) AS n(id, folded, vector)
    WHERE b."teamId" = ${teamId}::uuid AND b."documentId" = n.id`);
  // A read replica is asked by the team's clock whether it has this index.
  await stampMoment(tx, teamId, nextMoment);
  addTerms(tx, teamId, [...new Set(written.flatMap(({ terms }) => terms))].sort());
  return written.length;
}
