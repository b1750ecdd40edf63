import {
  type Actor,
  type Capability,
  type CollectionFacts,
  type DocumentFacts,
  decideCollection,
  decideDocument,
  holds,
  knownTags,
  readableCollections,
  readableDocuments,
  readableEvents,
} from "@kb/auth";
import { type Sql, sql } from "@kb/db";

/** The facts about an event that the code form of a rule needs. The SQL form reads the same facts from the tables. */
export type EventFacts = {
  /** The document in the state in which the event left it; null for an event about no document. */
  readonly documentThen: DocumentFacts | null;
  /** The current document; null if it no longer exists. */
  readonly documentNow: DocumentFacts | null;
  /** The current collection of the event; null if it is deleted or no longer exists. */
  readonly collection: CollectionFacts | null;
  /** The current state of the event's tag for the reader. */
  readonly tag: "visible" | "hidden" | "gone";
  /** Whether the event's data marks the tag as a restricted one. */
  readonly restricted: boolean;
  /** The author of the event's object. */
  readonly createdById: string | null;
  /** The user whom the event's data names: the owner of a key or of a connected app. */
  readonly userId: string | null;
};

/** Decides who may see an event, in SQL and in code. A property test proves that both forms agree. */
export type AudienceRule = {
  /** A condition on `events e`. */
  readonly sql: (actor: Actor) => Sql;
  readonly allows: (actor: Actor, facts: EventFacts) => boolean;
};

/** Ignores the trash state, because a document's readers may learn that it was trashed. */
const reads = (actor: Actor, facts: DocumentFacts | null): boolean =>
  facts !== null && decideDocument(actor, "read", { ...facts, deletedAt: null }) === "allow";

const documentReadableNow = (actor: Actor): Sql => sql`EXISTS (SELECT 1 FROM documents d
  WHERE d.id = e."documentId" AND ${readableDocuments(actor)})`;

/** Readers of the document who may also read the state in which the event left it. */
export const documentReaders: AudienceRule = {
  sql: (actor) => sql`(${readableEvents(actor)} AND ${documentReadableNow(actor)})`,
  allows: (actor, { documentThen, documentNow }) => reads(actor, documentThen) && reads(actor, documentNow),
};

/** Readers of the document that contains the attachment; its author if no document contains it. */
export const attachmentReaders: AudienceRule = {
  sql: (actor) => sql`CASE WHEN e."documentId" IS NULL THEN e."createdById" = ${actor.userId}::uuid
    ELSE ${documentReadableNow(actor)} END`,
  allows: (actor, { documentThen, documentNow, createdById }) =>
    documentThen === null ? createdById === actor.userId : reads(actor, documentNow),
};

/** Readers of the collection. */
export const collectionReaders: AudienceRule = {
  sql: (actor) =>
    sql`EXISTS (SELECT 1 FROM collections c WHERE c.id = e."collectionId" AND ${readableCollections(actor)})`,
  allows: (actor, { collection }) => collection !== null && decideCollection(actor, "read", collection) === "allow",
};

/** Users who may know the tag: those on its list for a restricted one; for others, readers of a document that carries it. */
export const tagViewers: AudienceRule = {
  sql: (actor) => sql`EXISTS (SELECT 1 FROM tags t WHERE t.id::text = e.data->>'id' AND ${knownTags(actor)})`,
  allows: (_actor, { tag }) => tag === "visible",
};

/** Viewers of a deleted tag; nobody for a restricted one, because its list of users was deleted with it. */
export const deletedTagViewers: AudienceRule = {
  sql: (actor) => sql`(${tagViewers.sql(actor)} OR (NOT COALESCE((e.data->>'restricted')::boolean, FALSE)
    AND NOT EXISTS (SELECT 1 FROM tags t WHERE t."teamId" = ${actor.teamId}::uuid AND t.id::text = e.data->>'id')))`,
  allows: (actor, facts) => tagViewers.allows(actor, facts) || (facts.tag === "gone" && !facts.restricted),
};

const condition = (holding: boolean): Sql => (holding ? sql`TRUE` : sql`FALSE`);

/** Users who hold a capability. */
export const holdersOf = (capability: Capability): AudienceRule => ({
  sql: (actor) => condition(holds(actor, capability)),
  allows: (actor) => holds(actor, capability),
});

/** The user whom the event's data names, and users who hold a capability. */
export const ownerOrHoldersOf = (capability: Capability): AudienceRule => ({
  sql: (actor) => (holds(actor, capability) ? condition(true) : sql`e.data->>'userId' = ${actor.userId}`),
  allows: (actor, { userId }) => holds(actor, capability) || userId === actor.userId,
});
