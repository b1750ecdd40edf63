import { readableDocuments } from "@kb/auth";
import { sql } from "@kb/db";
import { z } from "zod";
import { DocumentEntry, type EntryRow, entryColumns, presentEntry } from "../documents/document-entry.ts";
import { Status } from "../documents/filters.ts";
import { query } from "../operation.ts";
import { Limit, Offset, pageOf } from "../schema/paging.ts";
import { Id, SearchQuery, TagName } from "../schema/text.ts";
import { searchPage, TotalIsMinimum } from "../search/index.ts";

/** A hit of the app's search: its place and its last change, and the passage that was found, as HTML with `<mark>`. */
const Hit = DocumentEntry.extend({ snippet: z.string() });

/** Searches, and adds the place of each hit, which the app shows with it. Runs 1 statement more than the search. */
export const searchInApp = query({
  name: "app.search",
  summary: "Search documents and show their places",
  description:
    "The search of `documents.search`, with the path of each hit and without its other fields. `similar` is true if nothing matched as typed and the hits have similar words.",
  scope: "read",
  capability: "document.read",
  sessionOnly: true,
  readsReplica: true,
  input: z.strictObject({
    query: SearchQuery,
    collectionId: Id.optional(),
    tag: TagName.optional(),
    status: Status.optional(),
    limit: Limit,
    offset: Offset,
  }),
  output: pageOf(Hit).extend({ totalIsMinimum: TotalIsMinimum, similar: z.boolean() }),
  async run(context, { query: words, collectionId, tag, status, limit, offset }) {
    const { reader, actor } = context;
    const filters = { collectionId, tag: tag === undefined ? undefined : [tag], status: status && [status] };
    const request = { query: words, ...filters, fields: ["id"], limit, offset } as const;
    // The places need all hits of the page at once, so none is left to be sent later.
    const whole = { ...context, call: { ...context.call, continuation: undefined } };
    const { data, ...page } = await searchPage(whole, request);
    const ids = data.map(({ document }) => document.id);
    // Applies the policy again: between the two statements the caller may have lost access to a document.
    const rows = await reader.rows<EntryRow>(sql`SELECT ${entryColumns(actor)} FROM documents d
      WHERE d."teamId" = ${actor.teamId}::uuid AND d.id = ANY(${ids}::uuid[]) AND d."deletedAt" IS NULL
        AND ${readableDocuments(actor)}`);
    const entries = new Map(rows.map((row) => [row.id, presentEntry(row)]));
    const hits = data.flatMap(({ document, snippet }) => {
      const entry = entries.get(document.id);
      return entry === undefined ? [] : [{ ...entry, snippet }];
    });
    return { ...page, data: hits };
  },
});
