import { newId, sql, stampChange } from "@kb/db";
import { z } from "zod";
import { emit } from "../events.ts";
import { operation, type WriteContext } from "../operation.ts";
import { Document } from "../schema/document.ts";
import { EditorJson, Emoji, Id, Markdown, SortOrder, TagNames, Title } from "../schema/text.ts";
import { addTerms, indexDocument } from "../search/index.ts";
import { type Body, bodyOf, parseBody, prepareBody } from "./body.ts";
import { lockTree } from "./lock.ts";
import { requireDestination, requireParent } from "./place.ts";
import { type DocumentRow, presentDocument } from "./row.ts";
import { documentHappening } from "./save.ts";
import { replaceTags } from "./tag-links.ts";
import { titleKey } from "./title-key.ts";

const input = z.strictObject({
  title: Title.default("Untitled"),
  collectionId: Id,
  parentDocumentId: Id.nullish(),
  text: Markdown.optional(),
  content: EditorJson.optional(),
  publish: z.boolean().optional(),
  tags: TagNames.optional(),
  emoji: Emoji.nullish(),
  sortOrder: SortOrder.optional(),
  fullWidth: z.boolean().optional(),
});

/** Creates a document in a collection, as a draft unless `publish` is true. */
export const createDocument = operation({
  name: "documents.create",
  summary: "Create a document",
  description:
    "Takes Markdown in `text` or editor JSON in `content`; `content` wins when both are sent. Tags are created or reused by their normal form.",
  scope: "write",
  capability: "document.create",
  input,
  output: Document,
  prepare: (request) => prepareBody(request) ?? bodyOf(parseBody("")),
  async run(context, request, body) {
    const { tx, actor, now, appUrl } = context;
    const { collectionId, parentDocumentId } = request;
    if (parentDocumentId) await lockTree(tx, actor.teamId, "shared");
    await requireDestination(tx, actor, collectionId, request.publish ? "publishHere" : "createDocument");
    if (parentDocumentId) await requireParent(tx, actor, parentDocumentId, collectionId);
    const id = newId();
    const published = request.publish === true;
    const stamp = await stampChange(tx, actor.teamId, now, published ? 2 : 1);
    const row = await insertRow(context, id, request, published ? stamp.at : null, stamp.at);
    await insertBody(context, id, request, body);
    if (request.tags !== undefined) await replaceTags(tx, actor, id, request.tags, now);
    const place = { collectionId, createdById: actor.userId, publishedAt: published ? stamp.at : null };
    const about = { id, title: request.title, revision: 1, ...place };
    await emit(tx, actor, stamp, [
      documentHappening("document.created", about, [], appUrl),
      ...(published ? [documentHappening("document.published", about, ["publishedAt"], appUrl)] : []),
    ]);
    return presentDocument({ ...row, parentVisible: true, text: body.text, tags: [...(request.tags ?? [])] }, appUrl);
  },
});

type Request = z.output<typeof input>;

/** Inserts the row and gives it as a reader would find it. */
async function insertRow(
  { tx, actor, now }: WriteContext,
  id: string,
  request: Request,
  publishedAt: Date | null,
  at: Date,
): Promise<Omit<DocumentRow, "text" | "tags" | "parentVisible">> {
  const row = {
    teamId: actor.teamId,
    id,
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
    publishedAt,
    archivedAt: null,
    deletedAt: null,
    createdAt: at,
    updatedAt: at,
  };
  const { kind, name } = actor.credential;
  await tx.execute(sql`INSERT INTO documents ("teamId", id, title, "titleKey", emoji, "collectionId", "parentDocumentId",
      "sortOrder", "fullWidth", "createdById", "lastModifiedById", "editorId", "editorKind", "editorName", "runStartedAt",
      "publishedAt", "createdAt", "updatedAt")
    VALUES (${row.teamId}::uuid, ${id}::uuid, ${row.title}, ${titleKey(row.title)}, ${row.emoji}, ${row.collectionId}::uuid,
      ${row.parentDocumentId}::uuid, ${row.sortOrder}, ${row.fullWidth}, ${actor.userId}::uuid, ${actor.userId}::uuid,
      ${actor.userId}::uuid, ${kind}, ${name}, ${now}, ${publishedAt}, ${at}, ${at})`);
  return row;
}

async function insertBody({ tx, actor }: WriteContext, id: string, request: Request, body: Body): Promise<void> {
  const { teamId } = actor;
  const { headings, text, markdown } = body;
  const entry = indexDocument({ title: request.title, tags: request.tags ?? [], headings, text });
  await tx.execute(sql`WITH saved AS (
    INSERT INTO document_bodies ("teamId", "documentId", content, text, markdown, folded, vector)
    VALUES (${teamId}::uuid, ${id}::uuid, ${JSON.stringify(body.content)}::jsonb, ${text}, ${markdown},
      ${entry.folded}, ${entry.vector}::tsvector)
  ) ${addTerms(teamId, entry.terms)}`);
}
