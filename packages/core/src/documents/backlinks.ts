import { readableDocuments } from "@kb/auth";
import { sql } from "@kb/db";
import { z } from "zod";
import { query } from "../operation.ts";
import { readPage } from "../read-page.ts";
import { Limit, Offset, pageOf } from "../schema/paging.ts";
import { Id } from "../schema/text.ts";
import { requireAccess } from "./access.ts";
import { DocumentEntry, type EntryRow, entryColumns, presentEntry } from "./document-entry.ts";
import { linksTo } from "./links.ts";
import { findDocument } from "./row.ts";

/** Lists the active documents that link to a document and that the caller may read, latest change first. 3 statements. */
export const listBacklinks = query({
  name: "documents.backlinks",
  summary: "List the documents that link to a document",
  description: "Those that you may see. Over REST: `GET /api/v1/documents?linksTo=…`.",
  scope: "read",
  capability: "document.read",
  sessionOnly: true,
  input: z.strictObject({ id: Id, limit: Limit, offset: Offset }),
  output: pageOf(DocumentEntry),
  async run({ reader, actor }, { id, limit, offset }) {
    requireAccess(actor, "read", await findDocument(reader, actor, id, { text: false }));
    const list = {
      columns: entryColumns(actor),
      from: sql`documents d WHERE d."deletedAt" IS NULL AND d."archivedAt" IS NULL AND ${readableDocuments(actor)}
        AND ${linksTo(actor, id)}`,
      orderBy: sql`d."updatedAt" DESC, d.id DESC`,
    };
    return readPage<EntryRow, z.input<typeof DocumentEntry>>(reader, list, { limit, offset }, presentEntry);
  },
});
