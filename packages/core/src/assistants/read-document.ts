import { decideDocument, documentFacts, visibleDocument } from "@kb/auth";
import { sql } from "@kb/db";
import { type DocJSON, outline, section, serializeMarkdown } from "markdown-codec";
import { z } from "zod";
import { atHeading, Heading } from "../documents/edit.ts";
import { documentUrl } from "../documents/row.ts";
import { storedContent } from "../documents/save.ts";
import { notFound } from "../errors.ts";
import { query } from "../operation.ts";
import { Id, Timestamp, timestamp } from "../schema/text.ts";
import { canWrite, DocumentStatus, type PlacedRow, placed, placedColumns, statusOf } from "./placed-document.ts";
import { slice } from "./slice.ts";

/** Characters of Markdown in one answer, by default and at most. */
const defaultChars = 60_000;
const mostChars = 200_000;

/** So many headings are listed; who needs more reads on. */
const listedHeadings = 200;

/**
 * One document in full, or a section or a slice of it: the body as Markdown alone. 1 statement. Its structure is read for a
 * section alone: otherwise PostgreSQL picks the headings out of it, wherever they stand.
 */
export const readDocumentForAssistants = query({
  name: "assistants.document",
  summary: "Read a document as Markdown, with its place",
  scope: "read",
  capability: "document.read",
  input: z.strictObject({
    id: Id,
    section: Heading.optional(),
    offset: z.int().min(0).default(0),
    maxChars: z.int().min(1).max(mostChars).default(defaultChars),
  }),
  output: z.object({
    id: z.uuid(),
    title: z.string(),
    collection: z.string().nullable(),
    path: z.array(z.string()),
    tags: z.array(z.string()),
    status: DocumentStatus,
    revision: z.int(),
    updatedAt: Timestamp,
    canWrite: z.boolean(),
    url: z.url(),
    markdown: z.string(),
    totalChars: z.int(),
    nextOffset: z.int().optional(),
    headings: z.array(z.object({ level: z.int(), text: z.string() })),
    moreHeadings: z.int().optional(),
  }),
  async run({ reader, actor, appUrl }, { id, section: heading, offset, maxChars }) {
    const structure =
      heading === undefined
        ? sql`jsonb_build_object('type', 'doc', 'content',
            jsonb_path_query_array(b.content, 'strict $.** ? (@.type == "heading" && exists(@.attrs))'))`
        : sql`b.content`;
    const [row] = await reader.rows<Row>(sql`SELECT ${placedColumns(actor)}, b.markdown, ${structure} AS content
      FROM ${placed(sql`SELECT d.* FROM documents d WHERE d."teamId" = ${actor.teamId}::uuid AND d.id = ${id}::uuid`)}
      JOIN document_bodies b ON b."teamId" = d."teamId" AND b."documentId" = d.id
      CROSS JOIN LATERAL ${documentFacts(actor)} f WHERE ${visibleDocument(actor)}`);
    if (row === undefined || decideDocument(actor, "read", row) !== "allow") throw notFound("Document");
    const content = storedContent(row.content);
    const markdown = heading === undefined ? row.markdown : markdownOfSection(content, heading);
    const part = slice(markdown, offset, maxChars);
    return {
      id,
      title: row.title,
      collection: row.collectionName,
      path: row.path,
      tags: row.tags,
      status: statusOf(row),
      revision: row.revision,
      updatedAt: timestamp(row.updatedAt),
      canWrite: canWrite(actor, row),
      url: documentUrl(appUrl, id),
      markdown: part.text,
      totalChars: markdown.length,
      ...(part.nextOffset === undefined ? {} : { nextOffset: part.nextOffset }),
      ...headingsOf(content),
    };
  },
});

type Row = PlacedRow & { markdown: string; content: unknown };

function markdownOfSection(content: DocJSON, heading: string): string {
  return serializeMarkdown(atHeading(content, heading, () => section(content, heading)));
}

function headingsOf(content: DocJSON) {
  const entries = outline(content);
  const headings = entries.slice(0, listedHeadings).map(({ level, text }) => ({ level, text }));
  return entries.length > listedHeadings ? { headings, moreHeadings: entries.length - listedHeadings } : { headings };
}
