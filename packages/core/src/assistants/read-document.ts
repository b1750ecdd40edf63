import { decideDocument, documentFacts, visibleDocument } from "@kb/auth";
import { sql } from "@kb/db";
import { z } from "zod";
import type { ReadContext } from "../context.ts";
import { Heading } from "../documents/edit.ts";
import { documentUrl } from "../documents/row.ts";
import { DocumentStatus, statusOf } from "../documents/status.ts";
import { notFound } from "../errors.ts";
import { namesOfTyping } from "../live/editing-now.ts";
import { readSettled } from "../live/find-settled.ts";
import { type LiveVersions, liveVersions } from "../live/versions.ts";
import { Timestamp, timestamp } from "../schema/text.ts";
import { offload } from "../threads/offload.ts";
import { canWrite, type PlacedRow, placed, placedColumns } from "./placed-document.ts";
import { slice } from "./slice.ts";

/** Characters of Markdown in one answer: the default and the maximum. */
const defaultChars = 60_000;
const mostChars = 200_000;

/** At most this many headings are listed beside the text. A client that needs more reads on, or reads the outline. */
const maxListedHeadings = 200;
/** At most this many headings are in an outline. */
const maxOutlined = 2_000;

/** The parameters of a read that name its part. */
export const partInput = {
  section: Heading.optional(),
  outline: z.boolean().default(false),
  maxChars: z.int().min(1).max(mostChars).default(defaultChars),
};

/** A document as assistants read it. */
export const ReadDocument = z.object({
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
  markdown: z.string().optional().describe("Absent with outline"),
  totalChars: z.int(),
  nextOffset: z.int().optional(),
  /** With the address of a heading whose text an earlier one has, too. */
  headings: z.array(z.object({ level: z.int(), text: z.string(), anchor: z.string().optional() })),
  moreHeadings: z.int().optional(),
  editingNow: z.array(z.string()).optional(),
});

/** The part of a document to read. `share` is the number of documents that share the headings of one answer. */
export type Part = {
  readonly section?: string | undefined;
  readonly outline: boolean;
  readonly offset: number;
  readonly maxChars: number;
  readonly share: number;
};

/**
 * Reads a document, or a section, slice or outline of it, as Markdown. 1 statement, and 1 more for a document with a log. Only a
 * section needs the structure of the body; otherwise PostgreSQL extracts the headings.
 * @throws {ServiceError} `not_found`, `heading_not_found`
 */
export async function readDocument(
  context: ReadContext,
  id: string,
  { section: heading, outline, offset, maxChars, share }: Part,
): Promise<z.input<typeof ReadDocument>> {
  const { actor, appUrl } = context;
  const row = await requireRow(context, id, heading !== undefined);
  const { content } = row;
  const listed = Math.floor((outline ? maxOutlined : maxListedHeadings) / share);
  const { section, headings, more } = await offload(actor.userId, "sectionAndHeadings", content.length, {
    content,
    heading,
    listed,
  });
  const markdown = section ?? row.markdown;
  const part = outline ? null : slice(markdown, offset, maxChars);
  const typing = await namesOfTyping(context, row);
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
    ...(part === null ? {} : { markdown: part.text }),
    totalChars: markdown.length,
    ...(part?.nextOffset === undefined ? {} : { nextOffset: part.nextOffset }),
    headings: [...headings],
    ...(more === 0 ? {} : { moreHeadings: more }),
    ...(typing.length === 0 ? {} : { editingNow: typing }),
  };
}

/** `content` is editor JSON as text: all of it for a section, otherwise the headings only. */
type Row = PlacedRow & { teamId: string; markdown: string; content: string; live: LiveVersions | null };

async function requireRow(context: ReadContext, id: string, withStructure: boolean): Promise<Row> {
  const { reader, actor } = context;
  const structure = withStructure
    ? sql`b.content`
    : sql`jsonb_build_object('type', 'doc', 'content',
        jsonb_path_query_array(b.content, 'strict $.** ? (@.type == "heading" && exists(@.attrs))'))`;
  const statement = sql`SELECT ${placedColumns(actor)}, d."teamId", b.markdown, (${structure})::text AS content, ${liveVersions} AS live
    FROM ${placed(sql`SELECT d.* FROM documents d WHERE d."teamId" = ${actor.teamId}::uuid AND d.id = ${id}::uuid`)}
    JOIN document_bodies b ON b."teamId" = d."teamId" AND b."documentId" = d.id
    CROSS JOIN LATERAL ${documentFacts(actor)} f WHERE ${visibleDocument(actor)}`;
  const row = await readSettled(context, async () => (await reader.rows<Row>(statement))[0] ?? null);
  if (row === null || decideDocument(actor, "read", row) !== "allow") throw notFound("Document");
  return row;
}
