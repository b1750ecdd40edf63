import type { Actor } from "@kb/auth";
import { empty, sql } from "@kb/db";
import { z } from "zod";
import type { ReadContext } from "../context.ts";
import { requireAccess } from "../documents/access.ts";
import { findState, requireState, type StateRow, stateColumns, states } from "../documents/revisions.ts";
import { findSettled } from "../live/find-settled.ts";
import { query } from "../operation.ts";
import { decodeCursor, encodeCursor } from "../schema/cursor.ts";
import { Id, Text, Timestamp, timestamp } from "../schema/text.ts";
import { offload } from "../threads/offload.ts";
import { slice } from "./slice.ts";

/** The number of revisions in one answer. */
const pageSize = 25;

/** The most characters of Markdown in one answer. A diff has a bound of its own. */
const mostChars = 60_000;

const maxRevision = 2_147_483_647;

const Entry = z.object({
  revision: z.int(),
  title: z.string(),
  /** Null for a deleted user. */
  author: z.string().nullable(),
  /** Everybody who wrote, for a run of live editing. */
  contributors: z.array(z.string()).optional(),
  credential: z.string().nullable(),
  credentialKind: z.string(),
  updatedAt: Timestamp,
});

/** Either the list, or one revision. One object, because MCP clients accept no union as the schema of an answer. */
const History = z.object({
  id: z.uuid(),
  revisions: z.array(Entry).optional(),
  ...Entry.partial().shape,
  markdown: z.string().optional(),
  totalChars: z.int().optional(),
  /** Null for the current revision. */
  nextRevision: z.int().nullable().optional(),
  /** Unified diff of the Markdown from this revision to the next; absent for the current one and after the first slice. */
  diff: z.string().optional(),
  nextCursor: z.string().nullable(),
});

const ListPlace = z.strictObject({ before: z.int().min(1).max(maxRevision) });
const SlicePlace = z.strictObject({ revision: z.int(), offset: z.int().min(1) });

/**
 * Lists the history of a document, newest first, including the current state; or returns one revision as Markdown, in slices,
 * with what the next one changed. 2 statements for a list, 3 for a revision.
 */
export const documentHistory = query({
  name: "assistants.history",
  summary: "List the revisions of a document, or read one",
  scope: "read",
  capability: "document.read",
  input: z.strictObject({
    id: Id,
    revision: z.int().min(1).max(maxRevision).optional(),
    cursor: Text.optional(),
  }),
  output: History,
  async run(context, { id, revision, cursor }) {
    const { actor } = context;
    requireAccess(actor, "read", await findSettled(context, actor, id, { text: false }));
    return revision === undefined ? listHistory(context, id, cursor) : readPast(context, id, revision, cursor);
  },
});

async function listHistory(
  { reader, actor }: ReadContext,
  id: string,
  cursor: string | undefined,
): Promise<z.input<typeof History>> {
  const older = cursor === undefined ? empty : sql`WHERE r.revision < ${decodeCursor(ListPlace, cursor).before}`;
  const rows = await reader.rows<StateRow>(sql`SELECT ${stateColumns} FROM ${states(actor, id)} ${older}
    ORDER BY r.revision DESC LIMIT ${pageSize + 1}`);
  const shown = rows.slice(0, pageSize);
  const last = rows.length > pageSize ? shown.at(-1) : undefined;
  return {
    id,
    revisions: shown.map(presentEntry),
    nextCursor: last === undefined ? null : encodeCursor({ before: last.revision }),
  };
}

async function readPast(
  { reader, actor }: ReadContext,
  id: string,
  revision: number,
  cursor: string | undefined,
): Promise<z.input<typeof History>> {
  const offset = cursor === undefined ? 0 : offsetIn(revision, cursor);
  const state = await requireState(reader, actor, id, revision);
  const next = await findState(reader, actor, id, sql`r.revision > ${revision} ORDER BY r.revision LIMIT 1`);
  const { text, nextOffset } = slice(state.markdown, offset, mostChars);
  return {
    id,
    ...presentEntry(state),
    markdown: text,
    totalChars: state.markdown.length,
    nextRevision: next?.revision ?? null,
    ...(next === undefined || offset > 0 ? {} : { diff: await diffBetween(actor, state.markdown, next.markdown) }),
    nextCursor: nextOffset === undefined ? null : encodeCursor({ revision, offset: nextOffset }),
  };
}

function offsetIn(revision: number, cursor: string): number {
  const place = decodeCursor(SlicePlace.extend({ revision: z.literal(revision) }), cursor);
  return place.offset;
}

function diffBetween(actor: Actor, before: string, after: string): Promise<string> {
  return offload(actor.userId, "diff", before.length + after.length, { before, after });
}

function presentEntry(row: StateRow): z.input<typeof Entry> {
  return {
    revision: row.revision,
    title: row.title,
    author: row.authorName,
    ...(row.contributors === null ? {} : { contributors: row.contributors.map(({ name }) => name) }),
    credential: row.editorName,
    credentialKind: row.editorKind,
    updatedAt: timestamp(row.createdAt),
  };
}
