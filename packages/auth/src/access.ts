import { type Actor, holds } from "./actor.ts";

/** A level of access to a collection, lowest first. */
export type Level = "none" | "read" | "write" | "manage";

/** A decision of the policy: `hidden` must be answered exactly like something that does not exist. */
export type Decision = "allow" | "forbidden" | "hidden";

/** The facts of a collection on which the policy depends: the caller's levels in it. */
export type CollectionFacts = {
  /** The highest of the team's default and the grants to the user and their groups. */
  readonly level: Level;
  /** The level of the restricted key in it; null for a credential that is not restricted. */
  readonly keyLevel: Level | null;
};

/** The facts of a document on which the policy depends. */
export type DocumentFacts = {
  /** As for collections; null for a document without a collection. */
  readonly level: Level | null;
  /** The restricted key's level for the document, else for its collection, else `none`; null if not restricted. */
  readonly keyLevel: Level | null;
  readonly createdById: string | null;
  readonly publishedAt: Date | null;
  readonly deletedAt: Date | null;
};

export type DocumentAction = "read" | "edit" | "publish" | "delete" | "readTrash" | "restore";
export type CollectionAction = "read" | "createDocument" | "publishHere" | "edit" | "manage";

const rank: Readonly<Record<Level, number>> = { none: 0, read: 1, write: 2, manage: 3 };
const reaches = (level: Level, needed: Level): boolean => rank[level] >= rank[needed];

/** A restricted key only narrows: the rights of its owner do not extend it. */
const keyReaches = (keyLevel: Level | null, needed: Level): boolean => keyLevel === null || reaches(keyLevel, needed);

/** A document without a collection belongs to its author and to users who may edit collections. */
function collectionReaches(actor: Actor, document: DocumentFacts, needed: Level): boolean {
  if (document.level !== null) return reaches(document.level, needed);
  return document.createdById === actor.userId || holds(actor, "collection.edit");
}

/** A draft is visible to its author and to users who may edit in its collection. */
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

/** Users without the team-wide right may publish and delete their own documents. */
const owns = (actor: Actor, document: DocumentFacts): boolean => document.createdById === actor.userId;

function mayDelete(actor: Actor, document: DocumentFacts): boolean {
  return mayEdit(actor, document) && (holds(actor, "document.delete") || owns(actor, document));
}

function mayPublish(actor: Actor, document: DocumentFacts): boolean {
  return mayEdit(actor, document) && (holds(actor, "document.publish") || owns(actor, document));
}

/**
 * Decides an action on a document; the operation has checked the scopes.
 * A document in the trash is hidden from users who could not restore it, and for all other actions.
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

/** Decides an action on a collection. */
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
      // The new document is the caller's own, so publishing it requires only the right to edit.
      return holds(actor, "document.create") && holds(actor, "document.edit") && writable ? "allow" : "forbidden";
    case "edit":
      return holds(actor, "collection.edit") && writable ? "allow" : "forbidden";
    case "manage":
      return holds(actor, "collection.edit") && writable && manages(actor, collection) ? "allow" : "forbidden";
  }
}

/** Users who may edit the team manage collections in which they may write, so that none is left without a manager. */
function manages(actor: Actor, { level }: CollectionFacts): boolean {
  return reaches(level, "manage") || holds(actor, "settings.team_edit");
}

/** A restricted key may not create collections: it could not be given access to them. */
export function decideCreateCollection(actor: Actor): Decision {
  return holds(actor, "collection.create") && actor.restrictedKeyId === null ? "allow" : "forbidden";
}
