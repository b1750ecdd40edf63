import { empty, type Sql, sql, stampChange } from "@kb/db";
import type { DocJSON } from "markdown-codec";
import { emit, type Happening } from "../events.ts";
import type { WriteContext } from "../operation.ts";
import { addTerms, indexDocument } from "../search/index.ts";
import { type Body, bodyOf } from "./body.ts";
import { keepRevision } from "./history.ts";
import { type DocumentRow, type DocumentWithFacts, documentUrl, findDocument } from "./row.ts";
import { replaceTags } from "./tag-links.ts";
import { titleKey } from "./title-key.ts";
import { bury, type LeftState } from "./tombstones.ts";

/** What a change sets; absent means untouched. */
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

/** A change without what the document already is. */
export type EffectiveChange = { readonly [Field in keyof DocumentChange]?: Exclude<DocumentChange[Field], undefined> };

const differs = <T>(wanted: T | undefined, current: T): wanted is T => wanted !== undefined && wanted !== current;

/** Leaves out of a change what the document already is. `markdown` must have been read with the document. */
export function effective(before: DocumentRow, change: DocumentChange): EffectiveChange {
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

/** Nothing to do: no revision, no event. */
export const isEmpty = (change: EffectiveChange): boolean => Object.keys(change).length === 0;

/**
 * Writes an effective, non-empty change of a locked document: the row, the body and its index, tags, the superseded state,
 * a tombstone for those who lose sight of it, and the events; all with one stamp. Gives the document as it is then.
 */
export async function saveDocument(
  context: WriteContext,
  before: DocumentWithFacts,
  change: EffectiveChange,
): Promise<DocumentWithFacts> {
  const { tx, actor, now } = context;
  const happenings = happeningsOf(context, before, change);
  if (change.title !== undefined || change.emoji !== undefined || change.body !== undefined) {
    await keepRevision(tx, actor, before.id, now);
  }
  const stamp = await stampChange(tx, actor.teamId, now, happenings.length);
  await tx.execute(sql`UPDATE documents SET ${assignments(change, stamp.at)}"lastModifiedById" = ${actor.userId}::uuid,
      revision = ${before.revision + 1}, "updatedAt" = ${stamp.at}
    WHERE "teamId" = ${actor.teamId}::uuid AND id = ${before.id}::uuid`);
  if (change.tags !== undefined) await replaceTags(tx, actor, before.id, change.tags, now);
  await writeBody(context, before, change);
  const leaves = change.published === false || change.collectionId !== undefined;
  if (leaves) await bury(tx, actor.teamId, [{ state: before, at: stamp.at }]);
  await emit(tx, actor, stamp, happenings);
  return afterChange(before, change, actor.userId, stamp.at);
}

/** What the change sets of the row's own columns, each with the comma behind it. */
function assignments(change: EffectiveChange, at: Date): Sql {
  const { title, emoji, collectionId, parentDocumentId, sortOrder, fullWidth, published } = change;
  const set = <T>(value: T | undefined, assigned: (value: T) => Sql): Sql =>
    value === undefined ? empty : sql`${assigned(value)}, `;
  return sql`${set(title, (to) => sql`title = ${to}, "titleKey" = ${titleKey(to)}`)}${set(emoji, (to) => sql`emoji = ${to}`)}${set(
    collectionId,
    (to) => sql`"collectionId" = ${to}::uuid`,
  )}${set(parentDocumentId, (to) => sql`"parentDocumentId" = ${to}::uuid`)}${set(
    sortOrder,
    (to) => sql`"sortOrder" = ${to}`,
  )}${set(fullWidth, (to) => sql`"fullWidth" = ${to}`)}${set(published, (to) => sql`"publishedAt" = ${to ? at : null}`)}`;
}

/** The row as it is after the change, so that it need not be read again. */
function afterChange(
  before: DocumentWithFacts,
  { body, published, tags, ...fields }: EffectiveChange,
  userId: string,
  at: Date,
): DocumentWithFacts {
  const { markdown: _markdown, content: _content, ...row } = before;
  return {
    ...row,
    ...fields,
    // Nobody moves a document below one that they may not see.
    parentVisible: before.parentVisible || fields.parentDocumentId !== undefined,
    ...(body === undefined ? {} : { text: body.text }),
    ...(tags === undefined ? {} : { tags: [...tags] }),
    ...(published === undefined ? {} : { publishedAt: published ? at : null }),
    lastModifiedById: userId,
    revision: before.revision + 1,
    updatedAt: at,
  };
}

async function writeBody(context: WriteContext, before: DocumentRow, change: EffectiveChange): Promise<void> {
  if (change.body === undefined && change.title === undefined && change.tags === undefined) return;
  const body = change.body ?? (await storedBody(context, before));
  const entry = indexDocument({
    title: change.title ?? before.title,
    tags: change.tags ?? before.tags,
    headings: body.headings,
    text: body.text,
  });
  const { teamId } = context.actor;
  const assignments =
    change.body === undefined
      ? sql`folded = ${entry.folded}, vector = ${entry.vector}::tsvector`
      : sql`content = ${JSON.stringify(body.content)}::jsonb, markdown = ${body.markdown}, text = ${body.text},
          folded = ${entry.folded}, vector = ${entry.vector}::tsvector`;
  await context.tx.execute(sql`WITH saved AS (UPDATE document_bodies SET ${assignments}
    WHERE "teamId" = ${teamId}::uuid AND "documentId" = ${before.id}::uuid) ${addTerms(teamId, entry.terms)}`);
}

async function storedBody(context: WriteContext, before: DocumentRow): Promise<Body> {
  const row = await findDocument(context.tx, context.actor, before.id, { content: true });
  return bodyOf(storedContent(row?.content));
}

/** What the database holds in `content` was written by `saveDocument` or `create` from a validated document. */
export const storedContent = (content: unknown): DocJSON => content as DocJSON;

const touched = ["title", "emoji", "sortOrder", "fullWidth", "tags", "body"] as const;

function happeningsOf(context: WriteContext, before: DocumentRow, change: EffectiveChange): Happening[] {
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
  const about = (type: Happening["type"], names: readonly string[]): Happening =>
    documentHappening(type, after, names, context.appUrl);
  return [
    ...(changed.length > 0 ? [about("document.updated", changed)] : []),
    ...(moved.length > 0 ? [about("document.moved", moved)] : []),
    ...(change.published === undefined
      ? []
      : [about(change.published ? "document.published" : "document.unpublished", ["publishedAt"])]),
  ];
}

/** The thin payload about one document. */
export function documentHappening(
  type: Happening["type"],
  document: LeftState & { title: string; revision: number },
  changed: readonly string[],
  appUrl: string,
): Happening {
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
