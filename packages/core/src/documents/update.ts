import { z } from "zod";
import { operation, type WriteContext } from "../operation.ts";
import { Document, ExpectedRevision } from "../schema/document.ts";
import { EditorJson, Emoji, Id, Markdown, SortOrder, TagNames, Title } from "../schema/text.ts";
import { requireAccess } from "./access.ts";
import { type Body, prepareBody } from "./body.ts";
import { lockDocument, lockTree } from "./lock.ts";
import { cycle, lockDescendants, moveSubtree, requireNoCycle } from "./move.ts";
import { requireDestination, requireParent } from "./place.ts";
import { requireRevision } from "./revision-guard.ts";
import { type DocumentWithFacts, findDocument, presentDocument, presentUnchanged } from "./row.ts";
import { type DocumentChange, type EffectiveChange, effective, isEmpty, saveDocument } from "./save.ts";

const input = z.strictObject({
  id: Id,
  title: Title.optional(),
  text: Markdown.optional(),
  content: EditorJson.optional(),
  published: z.boolean().optional(),
  tags: TagNames.optional(),
  emoji: Emoji.nullable().optional(),
  collectionId: Id.optional(),
  parentDocumentId: Id.nullable().optional(),
  sortOrder: SortOrder.optional(),
  fullWidth: z.boolean().optional(),
  expectedRevision: ExpectedRevision.optional(),
});

type Request = z.output<typeof input>;

/** Changes a document. A change that changes nothing leaves no trace. */
export const updateDocument = operation({
  name: "documents.update",
  summary: "Update a document",
  description:
    "Every field is optional. `text` or `content` replaces the body, `tags` replaces the unrestricted tags, `published` publishes or unpublishes, `collectionId` and `parentDocumentId` move the document with everything below it.",
  scope: "write",
  capability: "document.edit",
  input,
  output: Document,
  turn: (request) => request.id,
  prepare: (request) => prepareBody(request),
  async run(context, request, body) {
    const { appUrl } = context;
    const { before, change } = await planUpdate(context, request, body);
    if (isEmpty(change)) {
      context.audit.nothing();
      return presentUnchanged(before, appUrl);
    }
    return presentDocument(await carryOut(context, before, change), appUrl);
  },
});

/** A locked document, and what a request would change of it. */
export type Plan = { readonly before: DocumentWithFacts; readonly change: EffectiveChange };

/** Locks the document and works out the change, after every check. `markdown` is read with it where the body may change. */
export async function planUpdate(context: WriteContext, request: Request, body: Body | undefined): Promise<Plan> {
  const { tx, actor } = context;
  const moves = request.collectionId !== undefined || request.parentDocumentId !== undefined;
  if (moves) await lockTree(tx, actor.teamId, "exclusive");
  const found = await lockDocument(tx, actor, request.id, { markdown: body !== undefined });
  const before = requireAccess(actor, "edit", found);
  if (request.published !== undefined) requireAccess(actor, "publish", before);
  await requireRevision(context, before, request.expectedRevision);
  const place = moves ? await destination(context, before, request) : {};
  const { title, emoji, sortOrder, fullWidth, published, tags } = request;
  return { before, change: effective(before, { title, emoji, sortOrder, fullWidth, published, tags, body, ...place }) };
}

/** Saves a change that is not empty; what stands below the document goes with it into another collection. */
export async function carryOut(
  context: WriteContext,
  before: DocumentWithFacts,
  change: EffectiveChange,
): Promise<DocumentWithFacts> {
  const below = change.collectionId === undefined ? [] : await lockDescendants(context, before.id, "edit");
  const after = await saveDocument(context, before, change);
  if (change.collectionId !== undefined) await moveSubtree(context, below, before, change.collectionId);
  return after;
}

/** Where the document goes: into a collection, below a parent of that collection, or to its top. */
async function destination(
  context: WriteContext,
  before: DocumentWithFacts,
  request: Request,
): Promise<Pick<DocumentChange, "collectionId" | "parentDocumentId">> {
  const { tx, actor } = context;
  const parentId = request.parentDocumentId;
  if (parentId === before.id) throw cycle();
  const collectionId = request.collectionId ?? (parentId ? await collectionOf(context, parentId) : before.collectionId);
  const changesCollection = collectionId !== before.collectionId;
  if (changesCollection && collectionId !== null) await requireDestination(tx, actor, collectionId);
  if (parentId) {
    await requireParent(tx, actor, parentId, collectionId, before.parentDocumentId);
    await requireNoCycle(tx, actor.teamId, before.id, parentId);
  }
  return {
    ...(changesCollection && collectionId !== null ? { collectionId } : {}),
    // A parent does not come along into another collection.
    parentDocumentId: parentId === undefined ? (changesCollection ? null : before.parentDocumentId) : parentId,
  };
}

async function collectionOf({ tx, actor }: WriteContext, parentId: string): Promise<string | null> {
  return requireAccess(actor, "read", await findDocument(tx, actor, parentId)).collectionId;
}
