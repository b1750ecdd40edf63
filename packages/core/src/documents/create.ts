import { newId, type Sql, sql, stampChange } from "@kb/db";
import { z } from "zod";
import type { WriteContext } from "../context.ts";
import { invalid } from "../errors.ts";
import type { DomainEvent } from "../events.ts";
import { type Answer, FinalChange, mapAnswer } from "../final-change.ts";
import { operation, type Preparation } from "../operation.ts";
import { quotaCheck, requireQuota } from "../quotas/require-quota.ts";
import { Document, type DocumentView } from "../schema/document.ts";
import { EditorJson, Emoji, Id, Markdown, SortOrder, TagNames, Title } from "../schema/text.ts";
import { addTerms } from "../search/index.ts";
import type { Body } from "./body.ts";
import { lockTree } from "./lock.ts";
import { requireDestination, requireParent } from "./place.ts";
import { prepareBody } from "./prepare-body.ts";
import { type DocumentRow, presentDocument } from "./row.ts";
import { documentEvent } from "./save.ts";
import { indexOfBody, labelsOf } from "./search-entry.ts";
import { orderBeside, shiftSiblings } from "./sibling-order.ts";
import { replaceTags } from "./tag-links.ts";
import { titleKey } from "./title-key.ts";

/** The fields of a new document. */
export const newDocument = z.strictObject({
  title: Title.default("Untitled"),
  collectionId: Id,
  parentDocumentId: Id.nullish(),
  text: Markdown.optional(),
  content: EditorJson.optional(),
  publish: z.boolean().optional(),
  tags: TagNames.optional(),
  emoji: Emoji.nullish(),
  sortOrder: SortOrder.optional(),
  after: Id.nullable().optional(),
  fullWidth: z.boolean().optional(),
});

/** Creates a document in a collection, as a draft unless `publish` is true. */
export const createDocument = operation({
  name: "documents.create",
  summary: "Create a document",
  description:
    "Send Markdown in `text` or editor JSON in `content`; `content` takes precedence. Tags are created or reused by their normal form. `after` places it directly after a sibling.",
  scope: "write",
  capability: "document.create",
  confirmsInTransaction: true,
  input: newDocument,
  output: Document,
  prepare: prepareCreation,
  run: (context, request, body) => insertNewDocument(context, newId(), request, body),
});

/** A new document. `createdAt` is set for one that was created elsewhere. */
type Request = z.output<typeof newDocument> & { readonly createdAt?: Date | undefined };

/** Builds the body of a new document. */
export function prepareCreation(
  { title, tags = [], text = "", content }: Request,
  preparation: Preparation,
): Promise<Body> {
  return prepareBody(preparation, { text, content }, async () => labelsOf({ title, tags }));
}

/** Checks the place of a new document and inserts it under an id. */
export async function insertNewDocument(
  context: WriteContext,
  id: string,
  given: Request,
  body: Body,
): Promise<Answer<DocumentView>> {
  const { tx, actor, appUrl } = context;
  const { collectionId, parentDocumentId = null, after } = given;
  if (after !== undefined && given.sortOrder !== undefined) throw invalid("after", "Send either this or `sortOrder`");
  if (after !== undefined) await lockTree(tx, actor.teamId, "exclusive");
  else if (parentDocumentId) await lockTree(tx, actor.teamId, "shared");
  await requireDestination(tx, actor, collectionId, given.publish ? "publishHere" : "createDocument");
  if (parentDocumentId) await requireParent(tx, actor, parentDocumentId, collectionId);
  const place = { collectionId, parentDocumentId };
  const order =
    after === undefined ? undefined : await orderBeside(context, { id, sortOrder: Number.NaN }, place, after);
  const request = order === undefined ? given : { ...given, sortOrder: order.sortOrder };
  insertBody(context, id, request, body);
  const bytes = Buffer.byteLength(body.markdown);
  const inserted = await insertDocument(context, id, request, bytes);
  await shiftSiblings(context, order?.shifts ?? []);
  return mapAnswer(inserted, (at) => presentDocument({ ...rowOf(context, id, request, at), text: body.text }, appUrl));
}

/** Inserts the row with its events, or returns that as the final change. Tags need the clock before them, or one is created twice. */
async function insertDocument(
  context: WriteContext,
  id: string,
  request: Request,
  bytes: number,
): Promise<Answer<Date>> {
  const { tx, outbox, actor, now } = context;
  const events = eventsOf(context, id, request);
  const growth = { documents: bytes };
  const statement = (at: Sql): Sql => insertRow(context, id, request, bytes, at);
  if (request.tags === undefined) {
    const check = quotaCheck(context, actor.userId, growth);
    return new FinalChange({ now, id, events, statement, check, unlocks: "when made" }, (at) => at);
  }
  const stamp = await stampChange(tx, actor.teamId, now, events.length);
  await tx.execute(statement(sql`${stamp.at}`));
  await replaceTags(context, id, request.tags);
  outbox.emit(stamp, events);
  await requireQuota(context, actor.userId, growth);
  return stamp.at;
}

function eventsOf({ actor, now, appUrl }: WriteContext, id: string, request: Request): DomainEvent[] {
  const { title, collectionId, publish } = request;
  const place = { collectionId, createdById: actor.userId, publishedAt: publish === true ? now : null };
  const about = { id, title, revision: 1, ...place };
  return [
    documentEvent("document.created", about, [], appUrl),
    ...(publish === true ? [documentEvent("document.published", about, ["publishedAt"], appUrl)] : []),
  ];
}

/** Returns the new document as a query would read it. */
function rowOf({ actor }: WriteContext, id: string, request: Request, at: Date): Omit<DocumentRow, "text"> {
  return {
    teamId: actor.teamId,
    id,
    parentVisible: true,
    tags: [...(request.tags ?? [])],
    title: request.title,
    emoji: request.emoji ?? null,
    collectionId: request.collectionId,
    parentDocumentId: request.parentDocumentId ?? null,
    collaborativeId: null,
    sortOrder: request.sortOrder ?? 0,
    fullWidth: request.fullWidth ?? false,
    revision: 1,
    createdById: actor.userId,
    lastModifiedById: actor.userId,
    publishedAt: request.publish === true ? at : null,
    archivedAt: null,
    deletedAt: null,
    createdAt: request.createdAt ?? at,
    updatedAt: at,
  };
}

function insertRow({ actor, now }: WriteContext, id: string, request: Request, bytes: number, at: Sql): Sql {
  const { title, emoji = null, collectionId, parentDocumentId = null, sortOrder = 0, fullWidth = false } = request;
  const { teamId, userId } = actor;
  const { kind, name, id: credentialId } = actor.credential;
  return sql`INSERT INTO documents ("teamId", id, title, "titleKey", emoji, "collectionId", "parentDocumentId",
      "sortOrder", "fullWidth", "createdById", "lastModifiedById", "editorId", "editorKind", "editorName", "runCredential", "runStartedAt",
      "publishedAt", "createdAt", "updatedAt", bytes, "revisionBytes")
    VALUES (${teamId}::uuid, ${id}::uuid, ${title}, ${titleKey(title)}, ${emoji}, ${collectionId}::uuid,
      ${parentDocumentId}::uuid, ${sortOrder}, ${fullWidth}, ${userId}::uuid, ${userId}::uuid,
      ${userId}::uuid, ${kind}, ${name}, ${credentialId}, ${now}, ${request.publish === true ? at : sql`NULL`}, ${request.createdAt ?? at}, ${at},
      ${bytes}::int, 0)`;
}

/** Inserts the body before its document, whose insertion holds the team's clock. The reference is checked at the commit. */
function insertBody({ tx, actor }: WriteContext, id: string, request: Request, body: Body): void {
  const { teamId } = actor;
  const { content, text, markdown } = body;
  const entry = indexOfBody(body, labelsOf({ title: request.title, tags: request.tags ?? [] }));
  tx.executeWithNext(sql`INSERT INTO document_bodies ("teamId", "documentId", content, text, markdown, folded, vector)
    VALUES (${teamId}::uuid, ${id}::uuid, ${content}::jsonb, ${text}, ${markdown},
      ${entry.folded}, ${entry.vector}::tsvector)`);
  addTerms(tx, teamId, entry.terms);
}
