import { readableDocuments } from "@kb/auth";
import { sql } from "@kb/db";
import { z } from "zod";
import { DocumentEntry, type EntryRow, entryColumns, presentEntry } from "../documents/document-entry.ts";
import { query } from "../operation.ts";
import { Timestamp, timestamp } from "../schema/text.ts";
import { ownStars } from "./star.ts";

/** Lists the documents that the caller has starred and may read, the latest star first. */
export const listStars = query({
  name: "stars.list",
  summary: "List the starred documents",
  scope: "read",
  capability: "document.read",
  sessionOnly: true,
  input: z.strictObject({}),
  output: z.array(DocumentEntry.extend({ starredAt: Timestamp })),
  async run({ reader, actor }) {
    const rows = await reader.rows<EntryRow & { readonly starredAt: Date }>(sql`
      SELECT ${entryColumns(actor)}, d."starredAt" FROM (
        SELECT d.*, s."createdAt" AS "starredAt" FROM document_stars s
        JOIN documents d ON d."teamId" = s."teamId" AND d.id = s."documentId"
        WHERE ${ownStars(actor)} AND d."deletedAt" IS NULL AND ${readableDocuments(actor)}) d
      ORDER BY d."starredAt" DESC, d.id`);
    return rows.map((row) => ({ ...presentEntry(row), starredAt: timestamp(row.starredAt) }));
  },
});
