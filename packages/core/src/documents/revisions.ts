import type { Actor } from "@kb/auth";
import { type Reader, sql } from "@kb/db";
import { z } from "zod";
import { notFound } from "../errors.ts";
import { operation, query } from "../operation.ts";
import { Document, ExpectedRevision } from "../schema/document.ts";
import { Limit, Offset } from "../schema/paging.ts";
import { Id, Timestamp, timestamp } from "../schema/text.ts";
import { requireAccess } from "./access.ts";
import { bodyOf } from "./body.ts";
import { lockDocument } from "./lock.ts";
import { requireRevision } from "./revision-guard.ts";
import { findDocument, presentDocument, presentUnchanged } from "./row.ts";
import { effective, isEmpty, saveDocument, storedContent } from "./save.ts";

const entry = {
  revision: z.int(),
  title: z.string(),
  emoji: z.string().nullable(),
  author: z.object({ id: z.uuid(), name: z.string() }).nullable(),
  credentialKind: z.string(),
  credentialName: z.string().nullable(),
  createdAt: Timestamp,
};

/** A stored state of a document: who wrote it last, by what kind of credential, and when. */
export const Revision = z.object(entry).meta({ id: "Revision" });
export const RevisionWithBody = z.object({ ...entry, markdownText: z.string() }).meta({ id: "RevisionWithBody" });

type Row = {
  revision: number;
  title: string;
  emoji: string | null;
  authorId: string | null;
  authorName: string | null;
  editorKind: string;
  editorName: string | null;
  createdAt: Date;
  markdown: string;
  content: Record<string, unknown>;
};

/** The current state and the stored ones as one relation `r`, of one document. */
function states(actor: Actor, id: string) {
  const team = sql`"teamId" = ${actor.teamId}::uuid`;
  return sql`(
    SELECT d."teamId", d.revision, d.title, d.emoji, d."editorId" AS "authorId", d."editorKind", d."editorName",
      d."updatedAt" AS "createdAt", NULL::bytea AS hash
    FROM documents d WHERE d.${team} AND d.id = ${id}::uuid
    UNION ALL
    SELECT s."teamId", s.revision, s.title, s.emoji, s."authorId", s."editorKind", s."editorName", s."createdAt", s."bodyHash"
    FROM document_revisions s WHERE s.${team} AND s."documentId" = ${id}::uuid
  ) r LEFT JOIN users u ON u."teamId" = r."teamId" AND u.id = r."authorId"`;
}

const columns = sql`r.revision, r.title, r.emoji, r."authorId", u.name AS "authorName", r."editorKind", r."editorName",
  r."createdAt"`;

function present(row: Row): z.input<typeof Revision> {
  return {
    revision: row.revision,
    title: row.title,
    emoji: row.emoji,
    author: row.authorId === null ? null : { id: row.authorId, name: row.authorName ?? "" },
    credentialKind: row.editorKind,
    credentialName: row.editorName,
    createdAt: timestamp(row.createdAt),
  };
}

/** The history of a document, newest first, the current state included. */
export const listRevisions = query({
  name: "documents.revisions.list",
  summary: "List the revisions of a document",
  description: "A run of edits by one author within five minutes is one revision.",
  scope: "read",
  capability: "document.read",
  input: z.strictObject({ id: Id, limit: Limit, offset: Offset }),
  output: z.object({ total: z.int(), limit: z.int(), offset: z.int(), data: z.array(Revision) }),
  async run({ reader, actor }, { id, limit, offset }) {
    requireAccess(actor, "read", await findDocument(reader, actor, id));
    const [rows, [counted]] = await Promise.all([
      reader.rows<Row>(
        sql`SELECT ${columns} FROM ${states(actor, id)} ORDER BY r.revision DESC LIMIT ${limit} OFFSET ${offset}`,
      ),
      reader.rows<{ total: number }>(sql`SELECT count(*)::int AS total FROM ${states(actor, id)}`),
    ]);
    return { total: counted?.total ?? 0, limit, offset, data: rows.map(present) };
  },
});

async function findRevision(reader: Reader, actor: Actor, id: string, revision: number): Promise<Row> {
  const [row] = await reader.rows<Row>(sql`
    SELECT ${columns}, COALESCE(p.markdown, b.markdown) AS markdown, COALESCE(p.content, b.content) AS content
    FROM ${states(actor, id)}
    LEFT JOIN revision_bodies p ON p."teamId" = r."teamId" AND p."documentId" = ${id}::uuid AND p.hash = r.hash
    LEFT JOIN document_bodies b ON b."teamId" = r."teamId" AND b."documentId" = ${id}::uuid AND r.hash IS NULL
    WHERE r.revision = ${revision}`);
  if (row === undefined) throw notFound("Revision");
  return row;
}

const revisionInput = { id: Id, revision: z.int().min(1).max(2_147_483_647) };

/** One state of a document, with its body. */
export const getRevision = query({
  name: "documents.revisions.get",
  summary: "Get a revision of a document",
  scope: "read",
  capability: "document.read",
  input: z.strictObject(revisionInput),
  output: RevisionWithBody,
  async run({ reader, actor }, { id, revision }) {
    requireAccess(actor, "read", await findDocument(reader, actor, id));
    const row = await findRevision(reader, actor, id, revision);
    return { ...present(row), markdownText: row.markdown };
  },
});

/** Makes a past title, emoji and body the current ones, as a new revision. */
export const restoreRevision = operation({
  name: "documents.revisions.restore",
  summary: "Restore a revision of a document",
  scope: "write",
  capability: "document.edit",
  input: z.strictObject({ ...revisionInput, expectedRevision: ExpectedRevision.optional() }),
  output: Document,
  turn: (request) => request.id,
  async run(context, { id, revision, expectedRevision }) {
    const { tx, actor, appUrl } = context;
    const before = requireAccess(actor, "edit", await lockDocument(tx, actor, id, { markdown: true }));
    await requireRevision(context, before, expectedRevision);
    const past = await findRevision(tx, actor, id, revision);
    const body = bodyOf(storedContent(past.content));
    const change = effective(before, { title: past.title, emoji: past.emoji, body });
    if (isEmpty(change)) {
      context.audit.nothing();
      return presentUnchanged(before, appUrl);
    }
    return presentDocument(await saveDocument(context, before, change), appUrl);
  },
});
