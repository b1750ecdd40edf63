import { z } from "zod";
import type { WriteContext } from "../context.ts";
import { invalid } from "../errors.ts";
import { type Answer, mapAnswer } from "../final-change.ts";
import { operation } from "../operation.ts";
import { type DocumentView, ExpectedRevision, minimalDocument, UpdatedDocument } from "../schema/document.ts";
import { EditorJson, Emoji, Id, Markdown, SortOrder, TagNames, Title } from "../schema/text.ts";
import { requireAccess } from "./access.ts";
import type { Body } from "./body.ts";
import type { BodyParts } from "./body-parts.ts";
import type { LockedDocument } from "./edit-run.ts";
import { lockBesideBody, lockDocument, lockTree } from "./lock.ts";
import { cycleError, lockDescendants, moveSubtree, requireNoCycle } from "./move.ts";
import type { Sibling } from "./order-after.ts";
import { requireDestination, requireParent } from "./place.ts";
import { prepareUpdate } from "./prepare-body.ts";
import { requireRevision } from "./revision-guard.ts";
import { type DocumentWithFacts, findDocument, presentDocument, presentUnchanged } from "./row.ts";
import { type DocumentChange, type EffectiveChange, effectiveChange, isEmpty, saveDocument } from "./save.ts";
import type { PreparedIndex } from "./search-entry.ts";
import { orderBeside, type SiblingPlace, shiftSiblings } from "./sibling-order.ts";
import type { HistoryEntry } from "./store-revision.ts";
import { editsTags, requireTagsAfter, type TagEdits } from "./tag-edits.ts";

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
  after: Id.nullable().optional(),
  fullWidth: z.boolean().optional(),
  expectedRevision: ExpectedRevision.optional(),
  return: z.literal("minimal").optional(),
});

type Request = z.output<typeof input> & TagEdits;

/** Changes a document. A change without effect leaves no trace. */
export const updateDocument = operation({
  name: "documents.update",
  summary: "Update a document",
  description:
    "All fields are optional. `text` or `content` replaces the body, `tags` replaces the unrestricted tags, `published` publishes or unpublishes, `collectionId` and `parentDocumentId` move the document with everything below it. `after` places it directly after a sibling. `return: minimal` returns the id, the revision and the time instead of the document.",
  scope: "write",
  capability: "document.edit",
  confirmsInTransaction: true,
  input,
  output: UpdatedDocument,
  queueBy: (request) => request.id,
  prepare: (request, preparation) => prepareUpdate(preparation, request),
  async run(context, request, { body, index }) {
    const { appUrl } = context;
    const { before, change, shifts } = await planUpdate(context, request, body);
    const present = (view: DocumentView) => (request.return === "minimal" ? minimalDocument(view) : view);
    if (isEmpty(change)) {
      context.audit.unchanged();
      return present(presentUnchanged(before, appUrl));
    }
    const saved = await saveUpdate(context, before, change, index);
    await shiftSiblings(context, shifts);
    return mapAnswer(saved, (after) => present(presentDocument(after, appUrl)));
  },
});

/** A locked document and the effective change that a request makes. */
export type Plan = {
  readonly before: LockedDocument;
  readonly change: EffectiveChange;
  /** Siblings that make way for the document; they are locked. */
  readonly shifts: readonly Sibling[];
};

/**
 * Locks the document, runs all checks, and returns the effective change. Reads `markdown` where the body may change.
 */
export async function planUpdate(context: WriteContext, request: Request, body: Body | undefined): Promise<Plan> {
  const { tx, actor } = context;
  const { collectionId, parentDocumentId, after } = request;
  const moves = [collectionId, parentDocumentId, after].some((field) => field !== undefined);
  if (after !== undefined && request.sortOrder !== undefined) throw invalid("after", "Send either this or `sortOrder`");
  if (moves) await lockTree(tx, actor.teamId, "exclusive");
  const parts = body === undefined ? indexParts(request) : { markdown: true };
  const found =
    body === undefined
      ? await lockBesideBody(context, request.id, "edit", parts)
      : await lockDocument(tx, actor, request.id, parts);
  const before = requireAccess(actor, "edit", found);
  const isPublished = before.publishedAt !== null;
  if ((request.published ?? isPublished) !== isPublished) requireAccess(actor, "publish", before);
  await requireRevision(context, before, request.expectedRevision);
  const place = moves ? await destination(context, before, request) : {};
  const order = after === undefined ? undefined : await orderBeside(context, before, placeAfter(before, place), after);
  const { title, emoji, sortOrder = order?.sortOrder, fullWidth, published } = request;
  const tags = requireTagsAfter(before.tags, request);
  return {
    before,
    change: effectiveChange(before, { title, emoji, sortOrder, fullWidth, published, tags, body, ...place }),
    shifts: order?.shifts ?? [],
  };
}

/** Returns the parts of the stored body from which a change of title or tags is indexed. */
function indexParts(request: Request): BodyParts {
  if (editsTags(request)) return { smallContent: true };
  return { smallIndex: request.title !== undefined };
}

type Place = Pick<DocumentChange, "collectionId" | "parentDocumentId">;

/** Returns the place of the document after the change. */
function placeAfter(before: DocumentWithFacts, { collectionId, parentDocumentId }: Place): SiblingPlace {
  return {
    collectionId: collectionId ?? before.collectionId,
    parentDocumentId: parentDocumentId === undefined ? before.parentDocumentId : parentDocumentId,
  };
}

/** Saves an effective change. Descendants move along into another collection. */
export async function saveUpdate(
  context: WriteContext,
  before: LockedDocument,
  change: EffectiveChange,
  prepared: PreparedIndex | undefined,
  entry: HistoryEntry = "run",
): Promise<Answer<DocumentWithFacts>> {
  const below = change.collectionId === undefined ? [] : await lockDescendants(context, before.id, "edit");
  const after = await saveDocument(context, before, change, prepared, entry);
  if (change.collectionId !== undefined) await moveSubtree(context, below, before, change.collectionId);
  return after;
}

/** Returns the new place of the document: a collection, a parent in that collection, or its top level. */
async function destination(context: WriteContext, before: DocumentWithFacts, request: Request): Promise<Place> {
  const { tx, actor } = context;
  const parentId = request.parentDocumentId;
  if (parentId === before.id) throw cycleError();
  const collectionId = request.collectionId ?? (parentId ? await collectionOf(context, parentId) : before.collectionId);
  const changesCollection = collectionId !== before.collectionId;
  if (changesCollection && collectionId !== null) await requireDestination(tx, actor, collectionId);
  if (parentId) {
    await requireParent(tx, actor, parentId, collectionId, before.parentDocumentId);
    await requireNoCycle(tx, actor.teamId, before.id, parentId);
  }
  return {
    ...(changesCollection && collectionId !== null ? { collectionId } : {}),
    // The parent does not move along into another collection.
    parentDocumentId: parentId === undefined ? (changesCollection ? null : before.parentDocumentId) : parentId,
  };
}

async function collectionOf({ tx, actor }: WriteContext, parentId: string): Promise<string | null> {
  return requireAccess(actor, "read", await findDocument(tx, actor, parentId)).collectionId;
}
