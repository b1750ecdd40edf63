import { empty, type Sql, sql, stampChange } from "@kb/db";
import type { WriteContext } from "../context.ts";
import type { DomainEvent } from "../events.ts";
import { type Answer, FinalChange } from "../final-change.ts";
import { joinLog } from "../live/join-log.ts";
import { quotaCheck, requireQuota } from "../quotas/require-quota.ts";
import { addTerms } from "../search/index.ts";
import type { Body } from "./body.ts";
import type { LockedDocument } from "./edit-run.ts";
import { type DocumentRow, type DocumentWithFacts, documentUrl } from "./row.ts";
import { indexOfBody, labelsOf, type PreparedIndex, storedIndex } from "./search-entry.ts";
import { endsRun, type HistoryEntry, storeRevision } from "./store-revision.ts";
import { replaceTags } from "./tag-links.ts";
import { titleKey } from "./title-key.ts";
import { type VisibilityFacts, writeTombstones } from "./tombstones.ts";

/** The fields that a change sets; absent fields stay as they are. */
export type DocumentChange = {
  readonly title?: string | undefined;
  readonly emoji?: string | null | undefined;
  readonly collectionId?: string | undefined;
  readonly parentDocumentId?: string | null | undefined;
  readonly sortOrder?: number | undefined;
  readonly fullWidth?: boolean | undefined;
  readonly published?: boolean | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly body?: Body | undefined;
};

/** A change without the fields that would stay the same. */
export type EffectiveChange = { readonly [Field in keyof DocumentChange]?: Exclude<DocumentChange[Field], undefined> };

const differs = <T>(wanted: T | undefined, current: T): wanted is T => wanted !== undefined && wanted !== current;

/** Removes the fields from a change that would stay the same. `markdown` must have been read with the document. */
export function effectiveChange(before: DocumentRow, change: DocumentChange): EffectiveChange {
  const { title, emoji, collectionId, parentDocumentId, sortOrder, fullWidth, published, tags, body } = change;
  return {
    ...(differs(title, before.title) ? { title } : {}),
    ...(differs(emoji, before.emoji) ? { emoji } : {}),
    ...(differs<string | null>(collectionId, before.collectionId) && collectionId ? { collectionId } : {}),
    ...(differs(parentDocumentId, before.parentDocumentId) ? { parentDocumentId } : {}),
    ...(differs(sortOrder, before.sortOrder) ? { sortOrder } : {}),
    ...(differs(fullWidth, before.fullWidth) ? { fullWidth } : {}),
    ...(differs(published, before.publishedAt !== null) ? { published } : {}),
    ...(tags !== undefined && tags.join(",") !== [...before.tags].sort().join(",") ? { tags } : {}),
    ...(body !== undefined && body.markdown !== before.markdown ? { body } : {}),
  };
}

/** Tells whether a change has no effect, and thus makes no revision and no event. */
export const isEmpty = (change: EffectiveChange): boolean => Object.keys(change).length === 0;

/**
 * Saves an effective change of a locked document with one stamp: the row, the body and its index, tags, the superseded
 * state, a tombstone for users who lose sight of it, and the events. Returns the document after the change. The row is
 * written when the transaction ends, unless tags or tombstones follow it. A change that is an entry of its own in the history neither
 * joins the run of edits before it nor is joined by the one after it.
 */
export async function saveDocument(
  context: WriteContext,
  before: LockedDocument,
  change: EffectiveChange,
  prepared?: PreparedIndex,
  entry: HistoryEntry = "run",
): Promise<Answer<DocumentWithFacts>> {
  const { tx, outbox, actor, now } = context;
  const { id } = before;
  const events = eventsOf(context, before, change);
  const revisionBytes = await writeBody(context, before, change, { prepared, entry });
  const growth = { documents: bodyGrowth(before, change), revisions: revisionBytes };
  const statement = (at: Sql): Sql => sql`UPDATE documents
    SET ${assignments(change, at)}${sizeAssignments(change, revisionBytes)}"lastModifiedById" = ${actor.userId}::uuid, revision = ${before.revision + 1}, "updatedAt" = ${at}
    WHERE "teamId" = ${actor.teamId}::uuid AND id = ${id}::uuid`;
  const leaves = change.published === false || change.collectionId !== undefined;
  if (!leaves && change.tags === undefined) {
    const check = quotaCheck(context, before.createdById, growth);
    // Open editors apply what they read of a log, and cannot take it back.
    const unlocks = before.live == null ? "when made" : "on disk";
    return new FinalChange({ now, id, events, statement, check, unlocks }, (at) =>
      afterChange(before, change, actor.userId, at),
    );
  }
  const stamp = await stampChange(tx, actor.teamId, now, events.length);
  await tx.execute(statement(sql`${stamp.at}`));
  await requireQuota(context, before.createdById, growth);
  if (change.tags !== undefined) await replaceTags(context, id, change.tags);
  if (leaves) await writeTombstones(tx, actor.teamId, [{ state: before, at: stamp.at }]);
  outbox.emit(stamp, events);
  return afterChange(before, change, actor.userId, stamp.at);
}

/** Returns the assignments to the row's own columns, each followed by a comma. */
function assignments(change: EffectiveChange, at: Sql): Sql {
  const { title, emoji, collectionId, parentDocumentId, sortOrder, fullWidth, published } = change;
  const set = <T>(value: T | undefined, assigned: (value: T) => Sql): Sql =>
    value === undefined ? empty : sql`${assigned(value)}, `;
  return sql`${set(title, (to) => sql`title = ${to}, "titleKey" = ${titleKey(to)}`)}${set(emoji, (to) => sql`emoji = ${to}`)}${set(
    collectionId,
    (to) => sql`"collectionId" = ${to}::uuid`,
  )}${set(parentDocumentId, (to) => sql`"parentDocumentId" = ${to}::uuid`)}${set(
    sortOrder,
    (to) => sql`"sortOrder" = ${to}`,
  )}${set(fullWidth, (to) => sql`"fullWidth" = ${to}`)}${set(published, (to) => sql`"publishedAt" = ${to ? at : sql`NULL`}`)}`;
}

const bytesOf = (markdown: string | undefined): number => Buffer.byteLength(markdown ?? "");

/** Returns the bytes by which a new body exceeds the one before. */
const bodyGrowth = (before: DocumentRow, { body }: EffectiveChange): number =>
  body === undefined ? 0 : bytesOf(body.markdown) - bytesOf(before.markdown);

/** Returns the assignments to the sizes, each followed by a comma. A document that was not measured yet stays so. */
export function sizeAssignments({ body }: EffectiveChange, revisionBytes: number): Sql {
  const own =
    body === undefined
      ? empty
      : sql`bytes = CASE WHEN bytes IS NULL THEN NULL ELSE ${bytesOf(body.markdown)}::int END, `;
  return revisionBytes === 0 ? own : sql`${own}"revisionBytes" = "revisionBytes" + ${revisionBytes}::int, `;
}

/** Returns the row as it is after the change, without reading it again. */
function afterChange(
  before: DocumentWithFacts,
  { body, published, tags, ...fields }: EffectiveChange,
  userId: string,
  at: Date,
): DocumentWithFacts {
  const {
    markdown: _markdown,
    content: _content,
    smallContent: _smallContent,
    folded: _folded,
    vector: _vector,
    ...row
  } = before;
  return {
    ...row,
    ...fields,
    // A caller cannot move a document below one that they may not see.
    parentVisible: before.parentVisible || fields.parentDocumentId !== undefined,
    ...(body === undefined ? {} : { text: body.text }),
    ...(tags === undefined ? {} : { tags: [...tags] }),
    ...(published === undefined ? {} : { publishedAt: published ? at : null }),
    lastModifiedById: userId,
    revision: before.revision + 1,
    updatedAt: at,
  };
}

/**
 * Stores the superseded state and writes the body with its index, before the stamp: 1 statement, if there is any, which is sent
 * with the next one unless a state is stored. Returns the bytes of the stored body.
 */
async function writeBody(
  context: WriteContext,
  before: LockedDocument,
  change: EffectiveChange,
  { prepared, entry }: { readonly prepared: PreparedIndex | undefined; readonly entry: HistoryEntry },
): Promise<number> {
  const { tx, actor, now } = context;
  const { body, title, emoji, tags } = change;
  const isRevised = title !== undefined || emoji !== undefined || body !== undefined;
  const isIndexed = body !== undefined || title !== undefined || tags !== undefined;
  if (body !== undefined) await joinLog(context, before, body);
  const written = isIndexed ? await bodyUpdate(context, before, change, prepared) : undefined;
  if (!isRevised || (entry === "run" && !endsRun(actor, before, now))) {
    if (written !== undefined) tx.executeWithNext(written);
    return 0;
  }
  const { teamId, userId, credential } = actor;
  const { kind, name } = credential;
  const editor = { teamId, userId, credential: entry === "run" ? credential : { kind, name } };
  const undoes = typeof entry === "object" ? entry.undoes : undefined;
  const [stored] = await tx.rows<{ bytes: number }>(storeRevision(editor, before.id, now, written, undoes));
  return stored?.bytes ?? 0;
}

/** Returns the statement that updates the body, or only its index. */
async function bodyUpdate(
  context: WriteContext,
  before: DocumentRow,
  change: EffectiveChange,
  prepared: PreparedIndex | undefined,
): Promise<Sql> {
  const { body } = change;
  const labels = labelsOf({ title: change.title ?? before.title, tags: change.tags ?? before.tags });
  const entry =
    body === undefined ? await storedIndex(context, before, labels, prepared) : await indexOfBody(body, labels);
  const { teamId } = context.actor;
  const assignments =
    body === undefined
      ? sql`folded = ${entry.folded}, vector = ${entry.vector}::tsvector`
      : sql`content = ${body.content}::jsonb, markdown = ${body.markdown}, text = ${body.text},
          folded = ${entry.folded}, vector = ${entry.vector}::tsvector`;
  addTerms(context.tx, teamId, entry.terms);
  return sql`UPDATE document_bodies SET ${assignments}
    WHERE "teamId" = ${teamId}::uuid AND "documentId" = ${before.id}::uuid`;
}

const touched = ["title", "emoji", "sortOrder", "fullWidth", "tags", "body"] as const;

function eventsOf(context: WriteContext, before: DocumentRow, change: EffectiveChange): DomainEvent[] {
  const changed = touched
    .filter((field) => change[field] !== undefined)
    .map((field) => (field === "body" ? "text" : field));
  const moved = (["collectionId", "parentDocumentId"] as const).filter((field) => change[field] !== undefined);
  const after = {
    ...before,
    title: change.title ?? before.title,
    revision: before.revision + 1,
    collectionId: change.collectionId ?? before.collectionId,
    ...(change.published === undefined ? {} : { publishedAt: change.published ? context.now : null }),
  };
  const about = (type: DomainEvent["type"], names: readonly string[]): DomainEvent =>
    documentEvent(type, after, names, context.appUrl);
  return [
    ...(changed.length > 0 ? [about("document.updated", changed)] : []),
    ...(moved.length > 0 ? [about("document.moved", moved)] : []),
    ...(change.published === undefined
      ? []
      : [about(change.published ? "document.published" : "document.unpublished", ["publishedAt"])]),
  ];
}

/** Returns an event about a document. */
export function documentEvent(
  type: DomainEvent["type"],
  document: VisibilityFacts & { title: string; revision: number },
  changed: readonly string[],
  appUrl: string,
): DomainEvent {
  const { id, title, collectionId, revision, createdById, publishedAt } = document;
  return {
    type,
    data: { id, title, collectionId, revision, changed, url: documentUrl(appUrl, id) },
    documentId: id,
    collectionId,
    createdById,
    publishedAt,
  };
}
