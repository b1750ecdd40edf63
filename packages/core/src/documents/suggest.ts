import { readableDocuments } from "@kb/auth";
import { empty, sql } from "@kb/db";
import { z } from "zod";
import { query } from "../operation.ts";
import { Id, SearchQuery } from "../schema/text.ts";
import { DocumentEntry, type EntryRow, entryColumns, presentEntry } from "./document-entry.ts";
import { whereSparse } from "./sparse.ts";
import { titleKey } from "./title-key.ts";

const shown = 8;
/** At most this many documents are ranked: those whose words come first. It bounds the time for a single letter. */
const maxRanked = 1_000;
/** Of the titles from the query on, in their order, at most this many are ranked besides: it is the first, and titles that begin with it follow. */
const maxTitled = 200;
/** Of at most this many words of the query, the longest ones, the rarest is looked up. */
const maxCounted = 8;

/** After every word that begins with a text, in the order of code points. */
const last = sql`chr(1114111)`;

/**
 * Suggests documents by their titles: those of which every word of the query begins a word, without regard to case and
 * accents, at most 8. A title that equals the query comes first, then titles that begin with it, then the latest change.
 * Archived documents are not suggested. 1 statement, and one a minute.
 */
export const suggestDocuments = query({
  name: "documents.suggest",
  summary: "Suggest documents by the beginnings of words in their titles",
  description: "At most 8, with their place. For quick open, links and moves; `documents.search` also reads the texts.",
  scope: "read",
  capability: "document.read",
  sessionOnly: true,
  input: z.strictObject({ query: SearchQuery, collectionId: Id.optional() }),
  output: z.array(DocumentEntry),
  async run({ reader, actor }, { query: wanted, collectionId }) {
    const key = titleKey(wanted.trim());
    const team = sql`"teamId" = ${actor.teamId}::uuid`;
    const sparse = await whereSparse(reader, actor, maxRanked);
    // The first titles from the query on need no end. A caller who may read few documents would skip all others down to it.
    const end = sparse === empty ? empty : sql` AND d."titleKey" < ${key} || ${last}${sparse}`;
    const place = collectionId === undefined ? empty : sql` AND d."collectionId" = ${collectionId}::uuid`;
    const rows = await reader.rows<EntryRow>(sql`
      WITH asked AS MATERIALIZED (SELECT word FROM split_title(${key}) AS word),
      -- The rarest word, so that its titles are all ranked if any word is on few; of common ones the longest.
      first AS MATERIALIZED (SELECT word FROM (SELECT word FROM asked ORDER BY length(word) DESC LIMIT ${maxCounted}::int) long
        ORDER BY (SELECT count(*) FROM (SELECT 1 FROM document_title_words w WHERE w.${team}
          AND w.word >= long.word AND w.word < long.word || ${last} LIMIT ${maxRanked + 1}::int) few), length(word) DESC LIMIT 1),
      titled AS MATERIALIZED (SELECT near.id FROM (
        SELECT d.id, d."titleKey" FROM documents d WHERE d.${team} AND d."titleKey" >= ${key}${end}
          ORDER BY d."titleKey", d.id LIMIT ${maxTitled}::int) near
        WHERE starts_with(near."titleKey", ${key}) AND EXISTS (SELECT 1 FROM asked)),
      found AS MATERIALIZED (SELECT near.id FROM first CROSS JOIN LATERAL (
        SELECT d.id FROM (SELECT w."documentId" AS id, w.word FROM document_title_words w WHERE w.${team}) d
        WHERE d.word >= first.word AND d.word < first.word || ${last}${sparse} ORDER BY d.word LIMIT ${maxRanked}::int) near
        UNION SELECT titled.id FROM titled),
      best AS (SELECT d.* FROM found
        CROSS JOIN LATERAL (SELECT o.* FROM documents o WHERE o.${team} AND o.id = found.id LIMIT 1) d
        WHERE d."deletedAt" IS NULL AND d."archivedAt" IS NULL AND ${readableDocuments(actor)}${place}
          AND NOT EXISTS (SELECT 1 FROM asked WHERE word <> (SELECT word FROM first)
            AND NOT EXISTS (SELECT 1 FROM document_title_words w WHERE w.${team} AND w."documentId" = d.id
              AND w.word >= asked.word AND w.word < asked.word || ${last}))
        ORDER BY (d."titleKey" = ${key}) DESC, starts_with(d."titleKey", ${key}) DESC, d."updatedAt" DESC, d.id LIMIT ${shown}::int)
      SELECT ${entryColumns(actor)} FROM best d
      ORDER BY (d."titleKey" = ${key}) DESC, starts_with(d."titleKey", ${key}) DESC, d."updatedAt" DESC, d.id`);
    return rows.map(presentEntry);
  },
});
