import { type Database, raw, sql } from "@kb/db";
import { ServiceError } from "../errors.ts";
import { offload } from "../threads/offload.ts";
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
    for (const document of documents) if (await indexAgain(database, document)) indexed += 1;
    const end = documents.at(-1);
    if (end === undefined) return indexed;
    last = end;
  }
}

function readOutdated(database: Database, after: Pick<Outdated, "teamId" | "id">): Promise<Outdated[]> {
  return database.rows<Outdated>(sql`SELECT d."teamId", d.id, d.revision, d.title, o.text, o.content::text AS content,
      ARRAY(SELECT t.name FROM document_tags dt JOIN tags t ON t."teamId" = dt."teamId" AND t.id = dt."tagId"
        WHERE dt."teamId" = d."teamId" AND dt."documentId" = d.id AND NOT t.restricted ORDER BY t.name) AS tags
    FROM (SELECT * FROM document_bodies b WHERE ${isOutdated}
      AND (b."teamId", b."documentId") > (${after.teamId}::uuid, ${after.id}::uuid)
      ORDER BY b."teamId", b."documentId" LIMIT ${batchSize}) o
    JOIN documents d ON d."teamId" = o."teamId" AND d.id = o."documentId" ORDER BY d."teamId", d.id`);
}

/** A document that takes too long keeps its index, so that the others behind it get theirs. */
function ignoreLimits(error: unknown): undefined {
  if (!(error instanceof ServiceError)) throw error;
}

/** Indexes a document, unless it has changed since it was read: then its writer has indexed it, or the next run does. */
async function indexAgain(database: Database, document: Outdated): Promise<boolean> {
  const { teamId, id, revision, title, tags, text, content } = document;
  const input = { content, text, labels: { title, tags } };
  const entry = await offload(teamId, "indexOfStored", content.length, input).catch(ignoreLimits);
  if (entry === undefined) return false;
  const { folded, vector, terms } = entry;
  return database.transaction(async (tx) => {
    const locked = await tx.rows(sql`SELECT 1 FROM documents d
      WHERE d."teamId" = ${teamId}::uuid AND d.id = ${id}::uuid AND d.revision = ${revision} FOR UPDATE`);
    if (locked.length === 0) return false;
    await tx.execute(sql`UPDATE document_bodies SET folded = ${folded}, vector = ${vector}::tsvector
      WHERE "teamId" = ${teamId}::uuid AND "documentId" = ${id}::uuid`);
    addTerms(tx, teamId, terms);
    return true;
  });
}
