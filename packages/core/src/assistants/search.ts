import { readableDocuments } from "@kb/auth";
import { sql } from "@kb/db";
import { z } from "zod";
import { Status } from "../documents/filters.ts";
import { documentUrl } from "../documents/row.ts";
import { query } from "../operation.ts";
import { decodeCursor, encodeCursor } from "../schema/cursor.ts";
import { Id, SearchQuery, TagName, Text, Timestamp, timestamp } from "../schema/text.ts";
import { languageColumn, PreferredLanguage, plainSnippet, searchPage } from "../search/index.ts";
import { canWrite, type PlacedRow, placed, placedColumns } from "./placed-document.ts";

const Hit = z.object({
  id: z.uuid(),
  title: z.string(),
  collectionName: z.string().nullable(),
  path: z.array(z.string()),
  /** Plain text, matches between `**`. */
  snippet: z.string().optional(),
  updatedAt: Timestamp,
  canWrite: z.boolean(),
  url: z.url(),
  /** The language of the text (ISO 639-1); left out where it is not clear. */
  language: z.string().optional(),
});

const Place = z.strictObject({ offset: z.int().min(1).max(1_000_000) });

/**
 * Searches, and adds the place of each hit, so that an assistant needs no second look-up. Runs 1 statement more than
 * the search.
 */
export const searchForAssistants = query({
  name: "assistants.search",
  summary: "Search documents and show their places",
  scope: "read",
  capability: "document.read",
  readsReplica: true,
  input: z.strictObject({
    query: SearchQuery,
    collectionId: Id.optional(),
    under: Id.optional(),
    tag: TagName.optional(),
    status: Status.optional(),
    lang: PreferredLanguage.optional(),
    snippets: z.boolean().default(true),
    limit: z.int().min(1).max(50).default(10),
    cursor: Text.optional(),
  }),
  output: z.object({
    total: z.int(),
    totalIsMinimum: z.boolean().optional(),
    similar: z.boolean().optional().describe("true: none has the words as typed, these have similar ones"),
    results: z.array(Hit),
    nextCursor: z.string().nullable(),
  }),
  async run(context, { tag, status, cursor, snippets, limit, ...request }) {
    const { reader, actor, appUrl } = context;
    const offset = cursor === undefined ? 0 : decodeCursor(Place, cursor).offset;
    const filters = { tag: tag === undefined ? undefined : [tag], status: status === undefined ? undefined : [status] };
    const found = await searchPage(
      context,
      { ...request, ...filters, fields: ["id"], limit, offset },
      snippets ? plainSnippet : null,
    );
    const ids = found.data.map(({ document }) => document.id);
    // Applies the policy again: between the two statements the caller may have lost access to a document.
    const rows = await reader.rows<PlacedRow & { language: string | null }>(
      sql`SELECT ${placedColumns(actor)}, ${languageColumn()} AS language FROM ${placed(sql`SELECT d.* FROM documents d
      WHERE d.id = ANY(${ids}::uuid[]) AND d."deletedAt" IS NULL AND ${readableDocuments(actor)}`)}`,
    );
    const byId = new Map(rows.map((row) => [row.id, row]));
    const results = found.data.flatMap(({ document, snippet }) => {
      const row = byId.get(document.id);
      if (row === undefined) return [];
      const { id, title, collectionName, path, updatedAt, language } = row;
      const shown = { id, title, collectionName, path, ...(snippets && { snippet }), updatedAt: timestamp(updatedAt) };
      return [
        {
          ...shown,
          canWrite: canWrite(actor, row),
          url: documentUrl(appUrl, id),
          ...(language !== null && { language }),
        },
      ];
    });
    const next = offset + limit;
    return {
      total: found.total,
      ...(found.totalIsMinimum && { totalIsMinimum: true }),
      ...(found.similar && { similar: true }),
      results,
      nextCursor: next < found.total ? encodeCursor({ offset: next }) : null,
    };
  },
});
