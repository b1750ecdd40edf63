import type { Actor } from "@kb/auth";
import { type Reader, type Sql, sql } from "@kb/db";
import { z } from "zod";
import type { WriteContext } from "../context.ts";
import { notFound } from "../errors.ts";
import { mapAnswer } from "../final-change.ts";
import { findSettled } from "../live/find-settled.ts";
import { operation, type Preparation, query } from "../operation.ts";
import { PrepareAgain } from "../prepare-again.ts";
import { readPage } from "../read-page.ts";
import { Document, ExpectedRevision } from "../schema/document.ts";
import { Limit, Offset } from "../schema/paging.ts";
import { Id, Timestamp, timestamp } from "../schema/text.ts";
import { isLarge, offload } from "../threads/offload.ts";
import { requireAccess } from "./access.ts";
import type { Body } from "./body.ts";
import { lockDocument } from "./lock.ts";
import { prepareIndex } from "./prepare-body.ts";
import { requireRevision } from "./revision-guard.ts";
import { presentDocument, presentUnchanged } from "./row.ts";
import { effectiveChange, isEmpty, saveDocument } from "./save.ts";
import { labelsOf, type PreparedIndex } from "./search-entry.ts";
import { undoneRevision } from "./store-revision.ts";
import { readStoredBody } from "./stored-body.ts";

const entry = {
  revision: z.int(),
  title: z.string(),
  emoji: z.string().nullable(),
  author: z.object({ id: z.uuid(), name: z.string() }).nullable(),
  credentialKind: z.string(),
  credentialName: z.string().nullable(),
  /** Everybody who wrote, for a run of live editing. */
  contributors: z.array(z.object({ id: z.uuid(), name: z.string() })).optional(),
  /** The revision whose change it took back, if it was made by an undo. */
  undoes: z.int().optional(),
  createdAt: Timestamp,
};

/** A stored state of a document: its last author, their kind of credential, and the time. */
export const Revision = z.object(entry).meta({ id: "Revision" });
/** A revision with its body as Markdown. */
export const RevisionWithBody = z.object({ ...entry, markdownText: z.string() }).meta({ id: "RevisionWithBody" });

/** A state as `stateColumns` select it. */
export type StateRow = {
  revision: number;
  title: string;
  emoji: string | null;
  authorId: string | null;
  authorName: string | null;
  editorKind: string;
  editorName: string | null;
  contributors: { id: string; name: string }[] | null;
  undoes: number | null;
  createdAt: Date;
};

/** A state with its body. */
export type StateWithBody = StateRow & {
  readonly markdown: string;
  /** Editor JSON as text. */
  readonly content: string;
};

/** Returns the current state and the stored states of a document as a relation `r`. */
export function states(actor: Actor, id: string) {
  const team = sql`"teamId" = ${actor.teamId}::uuid`;
  return sql`(
    SELECT d."teamId", d.revision, d.title, d.emoji, d."editorId" AS "authorId", d."editorKind", d."editorName",
      d.contributors, ${undoneRevision} AS undoes, d."updatedAt" AS "createdAt", NULL::bytea AS hash
    FROM documents d WHERE d.${team} AND d.id = ${id}::uuid
    UNION ALL
    SELECT s."teamId", s.revision, s.title, s.emoji, s."authorId", s."editorKind", s."editorName",
      s.contributors, s.undoes, s."createdAt", s."bodyHash"
    FROM document_revisions s WHERE s.${team} AND s."documentId" = ${id}::uuid
  ) r LEFT JOIN users u ON u."teamId" = r."teamId" AND u.id = r."authorId"`;
}

/** The columns of a `StateRow`, of the relation `r` that `states` returns. */
export const stateColumns = sql`r.revision, r.title, r.emoji, r."authorId", u.name AS "authorName", r."editorKind", r."editorName",
  r."createdAt", r.undoes, CASE WHEN r."editorKind" = 'live' THEN (SELECT jsonb_agg(jsonb_build_object('id', p.id, 'name', p.name) ORDER BY p.name, p.id)
    FROM users p WHERE p."teamId" = r."teamId" AND p.id = ANY(r.contributors)) END AS contributors`;

/** Returns a state as lists of the history show it. */
export function presentState(row: StateRow): z.input<typeof Revision> {
  return {
    revision: row.revision,
    title: row.title,
    emoji: row.emoji,
    author: row.authorId === null ? null : { id: row.authorId, name: row.authorName ?? "" },
    credentialKind: row.editorKind,
    credentialName: row.editorName,
    ...(row.contributors === null ? {} : { contributors: row.contributors }),
    ...(row.undoes === null ? {} : { undoes: row.undoes }),
    createdAt: timestamp(row.createdAt),
  };
}

/** Lists the history of a document, newest first, including the current state. */
export const listRevisions = query({
  name: "documents.revisions.list",
  summary: "List the revisions of a document",
  description: "Edits by one author with one credential within five minutes are one revision.",
  scope: "read",
  capability: "document.read",
  input: z.strictObject({ id: Id, limit: Limit, offset: Offset }),
  output: z.object({ total: z.int(), limit: z.int(), offset: z.int(), data: z.array(Revision) }),
  async run(context, { id, limit, offset }) {
    const { reader, actor } = context;
    requireAccess(actor, "read", await findSettled(context, actor, id));
    const list = {
      columns: stateColumns,
      from: states(actor, id),
      orderBy: sql`r.revision DESC`,
    };
    return readPage<StateRow, z.input<typeof Revision>>(reader, list, { limit, offset }, presentState);
  },
});

/** Finds the state of a document that a condition on `r` selects, with its body; `condition` may end in an order. */
export async function findState(
  reader: Reader,
  actor: Actor,
  id: string,
  condition: Sql,
): Promise<StateWithBody | undefined> {
  const [row] = await reader.rows<StateWithBody>(sql`
    SELECT ${stateColumns}, COALESCE(p.markdown, b.markdown) AS markdown, COALESCE(p.content, b.content)::text AS content
    FROM ${states(actor, id)}
    LEFT JOIN revision_bodies p ON p."teamId" = r."teamId" AND p."documentId" = ${id}::uuid AND p.hash = r.hash
    LEFT JOIN document_bodies b ON b."teamId" = r."teamId" AND b."documentId" = ${id}::uuid AND r.hash IS NULL
    WHERE ${condition}`);
  return row;
}

/** Reads one state of a document with its body. @throws {ServiceError} `not_found` */
export async function requireState(reader: Reader, actor: Actor, id: string, revision: number): Promise<StateWithBody> {
  const row = await findState(reader, actor, id, sql`r.revision = ${revision}`);
  if (row === undefined) throw notFound("Revision");
  return row;
}

/** The input of an operation on one state of a document. */
export const revisionInput = { id: Id, revision: z.int().min(1).max(2_147_483_647) };

/** Reads one state of a document with its body. */
export const getRevision = query({
  name: "documents.revisions.get",
  summary: "Get a revision of a document",
  scope: "read",
  capability: "document.read",
  input: z.strictObject(revisionInput),
  output: RevisionWithBody,
  async run(context, { id, revision }) {
    const { reader, actor } = context;
    requireAccess(actor, "read", await findSettled(context, actor, id));
    const row = await requireState(reader, actor, id, revision);
    return { ...presentState(row), markdownText: row.markdown };
  },
});

/** Makes the title, emoji and body of a revision the current ones, as a new revision and an entry of its own in the history. */
export const restoreRevision = operation({
  name: "documents.revisions.restore",
  summary: "Restore a revision of a document",
  scope: "write",
  capability: "document.edit",
  input: z.strictObject({ ...revisionInput, expectedRevision: ExpectedRevision.optional() }),
  output: Document,
  queueBy: (request) => request.id,
  prepare: (request, preparation) => preparePastBody(request, preparation),
  async run(context, { id, revision, expectedRevision }, prepared) {
    const { tx, actor, appUrl } = context;
    const before = requireAccess(actor, "edit", await lockDocument(tx, actor, id, { markdown: true }));
    await requireRevision(context, before, expectedRevision);
    const past = await requireState(tx, actor, id, revision);
    const body = prepared?.revision === before.revision ? prepared.body : await smallBody(context, past);
    const change = effectiveChange(before, { title: past.title, emoji: past.emoji, body });
    if (isEmpty(change)) {
      context.audit.unchanged();
      return presentUnchanged(before, appUrl);
    }
    const saved = await saveDocument(context, before, change, prepared?.index, "own");
    return mapAnswer(saved, (after) => presentDocument(after, appUrl));
  },
});

type Restore = { readonly id: string; readonly revision: number };

type PastBody = { readonly revision: number; readonly body: Body; readonly index?: PreparedIndex };

/** Builds a large past body in a thread, from the second attempt on. Where only the title differs, the stored body is indexed. */
async function preparePastBody(
  { id, revision }: Restore,
  { actor, attempt, service }: Preparation,
): Promise<PastBody | undefined> {
  if (attempt === 0) return undefined;
  const { database } = service;
  const [current, past] = await Promise.all([
    readStoredBody(database, actor, id),
    requireState(database, actor, id, revision),
  ]);
  if (current === null) return undefined;
  const labels = labelsOf({ title: past.title, tags: current.tags });
  const input = { content: past.content, labels };
  const body = await offload(actor.userId, "bodyFromStored", past.content.length, input);
  const { revision: currentRevision, markdown } = current;
  if (body.markdown !== markdown) return { revision: currentRevision, body };
  return { revision: currentRevision, body, index: await prepareIndex(actor.userId, current, labels) };
}

/** @throws {PrepareAgain} for a large body */
async function smallBody({ actor }: WriteContext, { content }: StateWithBody): Promise<Body> {
  if (isLarge(content.length)) throw new PrepareAgain();
  return offload(actor.userId, "bodyFromStored", content.length, { content });
}
