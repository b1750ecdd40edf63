import { type Actor, deletableDocuments, readableCollections, readableDocuments } from "@kb/auth";
import { empty, type Sql, sql } from "@kb/db";
import { z } from "zod";
import type { ReadContext } from "../context.ts";
import { filterConditions } from "../documents/filters.ts";
import { whereSparse } from "../documents/sparse.ts";
import { revisionWindowMs } from "../documents/store-revision.ts";
import { query } from "../operation.ts";
import { cursorError, decodeCursor, encodeCursor } from "../schema/cursor.ts";
import { Limit } from "../schema/paging.ts";
import { Id, InstantOrDate, Text, Timestamp, timestamp } from "../schema/text.ts";
import { offload } from "../threads/offload.ts";

/** The most documents in an answer with diffs, each of which reads two bodies. */
const maxDiffs = 25;
/** An answer whose diffs have this many characters together is not continued. A single diff has a bound of its own. */
const enoughChars = 60_000;
/** Authors are looked up in this many revisions of a document, and at most so many are named. */
const maxRevisions = 200;
const maxAuthors = 20;

const Change = z.object({
  id: z.uuid(),
  title: z.string(),
  collectionName: z.string().nullable(),
  revision: z.int(),
  change: z.enum(["created", "updated", "archived", "trashed"]),
  updatedAt: Timestamp,
  /** Null for a deleted user. */
  updatedBy: z.string().nullable(),
  /** Everybody who wrote since, if there are others. */
  authors: z.array(z.string()).optional(),
  /** Unified diff of the Markdown from the last revision before `since`; from nothing for a document without one. */
  diff: z.string().optional(),
});

type Row = {
  readonly id: string;
  readonly title: string;
  readonly collectionName: string | null;
  readonly revision: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly archivedAt: Date | null;
  readonly deletedAt: Date | null;
  readonly updatedBy: string | null;
  readonly authors: string[];
};

const Place = z.strictObject({ at: z.int(), id: z.uuid() });

const order = sql`d."updatedAt" ASC, d.id ASC`;

/**
 * Lists the documents that changed after a moment, oldest change first, so that a client that pages on misses no change: what
 * happened, who wrote, and with `diff` what changed in the text. The trash has those that the caller may restore. 1 statement, 2
 * for an unfiltered list, and 1 more for each diff, so that no more than two bodies are in memory.
 */
export const listChangesForAssistants = query({
  name: "assistants.changes",
  summary: "List what changed, with its authors",
  scope: "read",
  capability: "document.read",
  input: z.strictObject({
    since: InstantOrDate,
    collectionId: Id.optional(),
    diff: z.boolean().default(false),
    limit: Limit,
    cursor: Text.optional(),
  }),
  output: z.object({ changes: z.array(Change), nextCursor: z.string().nullable() }),
  async run(context, { since, collectionId, diff, limit, cursor }) {
    const rows = Math.min(limit, diff ? maxDiffs : limit);
    const found = await readRows(context, { since, collectionId, cursor, rows: rows + 1 });
    const changes: z.input<typeof Change>[] = [];
    let chars = 0;
    for (const row of found.slice(0, rows)) {
      if (chars >= enoughChars) break;
      const text = diff ? await diffSince(context, row.id, since) : undefined;
      chars += text?.length ?? 0;
      changes.push({ ...present(row, since), ...(text === undefined ? {} : { diff: text }) });
    }
    const last = changes.length < found.length ? found[changes.length - 1] : undefined;
    return {
      changes,
      nextCursor: last === undefined ? null : encodeCursor({ at: last.updatedAt.getTime(), id: last.id }),
    };
  },
});

type Page = {
  readonly since: Date;
  readonly collectionId: string | undefined;
  readonly cursor: string | undefined;
  readonly rows: number;
};

async function readRows({ reader, actor }: ReadContext, { since, collectionId, cursor, rows }: Page): Promise<Row[]> {
  const range = sql` AND d."updatedAt" > ${since}${afterCursor(cursor)}`;
  const filtered =
    collectionId === undefined ? await whereSparse(reader, actor, rows) : filterConditions(actor, { collectionId });
  return reader.rows<Row>(sql`SELECT d.id, d.title, d.revision, d."createdAt", d."updatedAt", d."archivedAt", d."deletedAt",
      CASE WHEN ${readableCollections(actor)} THEN c.name END AS "collectionName",
      (SELECT u.name FROM users u WHERE u."teamId" = d."teamId" AND u.id = d."lastModifiedById") AS "updatedBy",
      ${authorsSince(since)} AS authors
    FROM (SELECT d.* FROM documents d WHERE ${visible(actor)}${range}${filtered} ORDER BY ${order} LIMIT ${rows}) d
    LEFT JOIN collections c ON c."teamId" = d."teamId" AND c.id = d."collectionId" ORDER BY ${order}`);
}

const visible = (actor: Actor): Sql =>
  sql`${readableDocuments(actor)} AND (d."deletedAt" IS NULL OR ${deletableDocuments(actor)})`;

/** Returns the names of those who wrote the revisions of `documents d` since a moment, and of who changed it last. */
function authorsSince(since: Date): Sql {
  const runSince = new Date(since.getTime() - revisionWindowMs);
  return sql`ARRAY(SELECT DISTINCT u.name FROM (
      SELECT d."lastModifiedById" AS id
      UNION ALL SELECT writer.id FROM unnest(d.contributors || d."editorId") writer(id) WHERE d."runStartedAt" > ${runSince}
      UNION ALL SELECT writer.id FROM (SELECT s."authorId", s.contributors, s."createdAt" FROM document_revisions s
        WHERE s."teamId" = d."teamId" AND s."documentId" = d.id ORDER BY s.revision DESC LIMIT ${maxRevisions}::int) s
        CROSS JOIN LATERAL unnest(s.contributors || s."authorId") writer(id) WHERE s."createdAt" > ${since}
    ) writers JOIN users u ON u."teamId" = d."teamId" AND u.id = writers.id ORDER BY u.name LIMIT ${maxAuthors}::int)`;
}

function present(row: Row, since: Date): z.input<typeof Change> {
  const { id, title, collectionName, revision, updatedBy, authors } = row;
  return {
    id,
    title,
    collectionName,
    revision,
    change: kindOf(row, since),
    updatedAt: timestamp(row.updatedAt),
    updatedBy,
    ...(authors.some((name) => name !== updatedBy) ? { authors } : {}),
  };
}

function kindOf({ createdAt, archivedAt, deletedAt }: Row, since: Date): z.input<typeof Change>["change"] {
  if (deletedAt !== null) return "trashed";
  if (archivedAt !== null && archivedAt > since) return "archived";
  return createdAt > since ? "created" : "updated";
}

/** Applies the policy again: the caller may have lost access to the document. Its diff is then left out. */
async function diffSince({ reader, actor }: ReadContext, id: string, since: Date): Promise<string | undefined> {
  const [row] = await reader.rows<{ before: string | null; after: string }>(sql`SELECT b.markdown AS after,
      (SELECT p.markdown FROM document_revisions s
        JOIN revision_bodies p ON p."teamId" = s."teamId" AND p."documentId" = s."documentId" AND p.hash = s."bodyHash"
        WHERE s."teamId" = d."teamId" AND s."documentId" = d.id AND s."createdAt" <= ${since}
        ORDER BY s.revision DESC LIMIT 1) AS before
    FROM documents d JOIN document_bodies b ON b."teamId" = d."teamId" AND b."documentId" = d.id
    WHERE d.id = ${id}::uuid AND ${visible(actor)}`);
  if (row === undefined) return undefined;
  const { before, after } = row;
  const input = { before: before ?? "", after };
  return offload(actor.userId, "diff", input.before.length + after.length, input);
}

function afterCursor(cursor: string | undefined): Sql {
  if (cursor === undefined) return empty;
  const { at, id } = decodeCursor(Place, cursor);
  const moment = new Date(at);
  if (Number.isNaN(moment.getTime())) throw cursorError();
  return sql` AND (d."updatedAt", d.id) > (${moment}::timestamptz, ${id}::uuid)`;
}
