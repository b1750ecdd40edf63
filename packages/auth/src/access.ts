import { type Actor, holds } from "./actor.ts";

/** Access to a collection, lowest first. */
export type Level = "none" | "read" | "write" | "manage";

/** What the policy says: `hidden` must be answered exactly like something that does not exist. */
export type Decision = "allow" | "forbidden" | "hidden";

/** What the policy needs to know of a collection: the caller's levels in it. */
export type CollectionFacts = {
  /** The highest of the team's default and the grants to the user and their groups. */
  readonly level: Level;
  /** What the restricted key allows here; null for a credential that is not restricted. */
  readonly keyLevel: Level | null;
};

/** What the policy needs to know of a document. */
export type DocumentFacts = {
  /** As for collections; null for a document that lost its collection. */
  readonly level: Level | null;
  /** The restricted key's entry for the document, else for its collection, else `none`; null when not restricted. */
  readonly keyLevel: Level | null;
  readonly createdById: string | null;
  readonly publishedAt: Date | null;
  readonly deletedAt: Date | null;
};

export type DocumentAction = "read" | "edit" | "publish" | "delete" | "readTrash" | "restore";
export type CollectionAction = "read" | "createDocument" | "publishHere" | "edit" | "manage";

const rank: Readonly<Record<Level, number>> = { none: 0, read: 1, write: 2, manage: 3 };
const reaches = (level: Level, needed: Level): boolean => rank[level] >= rank[needed];

/** A restricted key only narrows: what it does not reach, its owner's rights do not help. */
const keyReaches = (keyLevel: Level | null, needed: Level): boolean => keyLevel === null || reaches(keyLevel, needed);

/** A document without a collection belongs to its author, and to those who set up collections. */
function collectionReaches(actor: Actor, document: DocumentFacts, needed: Level): boolean {
  if (document.level !== null) return reaches(document.level, needed);
  return document.createdById === actor.userId || holds(actor, "collection.edit");
}

/** A draft is seen by its author and by those who may edit in its collection. */
function draftVisible(actor: Actor, document: DocumentFacts): boolean {
  if (document.publishedAt !== null || document.createdById === actor.userId) return true;
  return holds(actor, "document.edit") && collectionReaches(actor, document, "write");
}

function mayRead(actor: Actor, document: DocumentFacts): boolean {
  return (
    holds(actor, "document.read") &&
    collectionReaches(actor, document, "read") &&
    keyReaches(document.keyLevel, "read") &&
    draftVisible(actor, document)
  );
}

function mayEdit(actor: Actor, document: DocumentFacts): boolean {
  return (
    holds(actor, "document.edit") &&
    collectionReaches(actor, document, "write") &&
    keyReaches(document.keyLevel, "write")
  );
}

/** Those without the team-wide right publish and delete what they themselves created. */
const owns = (actor: Actor, document: DocumentFacts): boolean => document.createdById === actor.userId;

function mayDelete(actor: Actor, document: DocumentFacts): boolean {
  return mayEdit(actor, document) && (holds(actor, "document.delete") || owns(actor, document));
}

function mayPublish(actor: Actor, document: DocumentFacts): boolean {
  return mayEdit(actor, document) && (holds(actor, "document.publish") || owns(actor, document));
}

/**
 * The one policy, for one document. Scopes are checked before, by the operation.
 * A trashed document exists only for those who could restore it; to all others, and to all other actions, it is hidden.
 */
export function decideDocument(actor: Actor, action: DocumentAction, document: DocumentFacts): Decision {
  const trashed = document.deletedAt !== null;
  const forTrash = action === "readTrash" || action === "restore";
  if (trashed !== forTrash || !mayRead(actor, document)) return "hidden";
  switch (action) {
    case "read":
      return "allow";
    case "edit":
      return mayEdit(actor, document) ? "allow" : "forbidden";
    case "publish":
      return mayPublish(actor, document) ? "allow" : "forbidden";
    case "delete":
      return mayDelete(actor, document) ? "allow" : "forbidden";
    case "readTrash":
    case "restore":
      return mayDelete(actor, document) ? "allow" : "hidden";
  }
}

/** The one policy, for one collection. */
export function decideCollection(actor: Actor, action: CollectionAction, collection: CollectionFacts): Decision {
  const visible =
    holds(actor, "document.read") && reaches(collection.level, "read") && keyReaches(collection.keyLevel, "read");
  if (!visible) return "hidden";
  const writable = reaches(collection.level, "write") && keyReaches(collection.keyLevel, "write");
  switch (action) {
    case "read":
      return "allow";
    case "createDocument":
      return holds(actor, "document.create") && writable ? "allow" : "forbidden";
    case "publishHere":
      // A document that the caller creates here is their own, so editing is all that publishing it takes.
      return holds(actor, "document.create") && holds(actor, "document.edit") && writable ? "allow" : "forbidden";
    case "edit":
      return holds(actor, "collection.edit") && writable ? "allow" : "forbidden";
    case "manage":
      return holds(actor, "collection.edit") && writable && manages(actor, collection) ? "allow" : "forbidden";
  }
}

/** Who sets up the team manages too where they write: a collection whose last manager has left is not lost. */
function manages(actor: Actor, { level }: CollectionFacts): boolean {
  return reaches(level, "manage") || holds(actor, "settings.team_edit");
}

/** A restricted key creates no collections: it could not be given access to them. */
export function decideCreateCollection(actor: Actor): Decision {
  return holds(actor, "collection.create") && actor.restrictedKeyId === null ? "allow" : "forbidden";
}
