import { sql } from "@kb/db";
import { z } from "zod";
import { requireAccess } from "../documents/access.ts";
import { findDocument } from "../documents/row.ts";
import { query } from "../operation.ts";
import { readPage } from "../read-page.ts";
import { Limit, Offset, pageOf } from "../schema/paging.ts";
import { Id, Timestamp, timestamp } from "../schema/text.ts";
import { type AttachmentRow, fileUrl } from "./attachment.ts";
import { isDisplayable } from "./media-type.ts";

/** A file of a document, as its properties show it. */
const DocumentFile = z
  .object({
    id: z.uuid(),
    name: z.string(),
    /** In bytes. */
    size: z.int(),
    contentType: z.string(),
    /** Whether a browser may show it as a picture. */
    isPicture: z.boolean(),
    url: z.url(),
    createdAt: Timestamp,
  })
  .meta({ id: "DocumentFile" });

type FileRow = Pick<AttachmentRow, "id" | "publicId" | "name" | "contentType" | "size" | "createdAt">;

/** Lists the files of a document that the caller may read, the newest first, without uploads that are not complete. 3 statements. */
export const listAttachments = query({
  name: "attachments.list",
  summary: "List the files of a document",
  description: "The newest first, without uploads that are not complete.",
  scope: "read",
  capability: "document.read",
  sessionOnly: true,
  input: z.strictObject({ documentId: Id, limit: Limit, offset: Offset }),
  output: pageOf(DocumentFile),
  async run({ reader, actor, appUrl }, { documentId, limit, offset }) {
    requireAccess(actor, "read", await findDocument(reader, actor, documentId, { text: false }));
    const list = {
      columns: sql`a.id, a."publicId", a.name, a."contentType", a.size, a."createdAt"`,
      from: sql`attachments a WHERE a."teamId" = ${actor.teamId}::uuid AND a."documentId" = ${documentId}::uuid
        AND a.status = 'ready'`,
      orderBy: sql`a."createdAt" DESC, a.id DESC`,
    };
    return readPage<FileRow, z.input<typeof DocumentFile>>(reader, list, { limit, offset }, (row) => ({
      id: row.id,
      name: row.name,
      size: Number(row.size),
      contentType: row.contentType,
      isPicture: row.contentType.startsWith("image/") && isDisplayable(row.contentType),
      url: fileUrl(appUrl, row.publicId, row.name),
      createdAt: timestamp(row.createdAt),
    }));
  },
});
