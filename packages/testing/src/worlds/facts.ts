import type { Capability, ChannelDocumentFacts, CollectionFacts, DocumentFacts, Level } from "@kb/auth";
import { at, type Shape } from "./shape.ts";
import { type Ids, isTrashed } from "./write.ts";

// What is true of a world, computed out of its shape alone: no statement of the service is part of it.

const levels: readonly Level[] = ["none", "read", "write", "manage"];

const highest = (names: readonly (Level | null | undefined)[]): Level =>
  names.reduce<Level>((best, name) => (name && levels.indexOf(name) > levels.indexOf(best) ? name : best), "none");

/** What the caller's groups allow together. */
export function capabilitiesOf(shape: Shape): ReadonlySet<Capability> {
  return new Set(shape.memberships.flatMap((group) => at(shape.groups, group)));
}

function levelIn(shape: Shape, place: number): Level {
  const { defaultAccess, users, groups } = at(shape.collections, place);
  return highest([defaultAccess, users[0], ...shape.memberships.map((group) => groups[group])]);
}

/** The facts of a collection for the caller. */
export function collectionFacts(shape: Shape, place: number): CollectionFacts {
  const key = shape.restricted ? (at(shape.collections, place).key ?? "none") : null;
  return { level: levelIn(shape, place), keyLevel: key };
}

type Placed = { collection: number | null; author: number | null; published: boolean };

function placedFacts(shape: Shape, ids: Ids, placed: Placed, ownKey: Level | null): Omit<DocumentFacts, "deletedAt"> {
  const { collection, author, published } = placed;
  const ofCollection = collection === null ? null : at(shape.collections, collection).key;
  return {
    level: collection === null ? null : levelIn(shape, collection),
    keyLevel: shape.restricted ? (ownKey ?? ofCollection ?? "none") : null,
    createdById: author === null ? null : at(ids.users, author),
    publishedAt: published ? new Date(0) : null,
  };
}

/** The facts of a document for the caller. */
export function documentFacts(shape: Shape, ids: Ids, place: number): DocumentFacts {
  const document = at(shape.documents, place);
  const deletedAt = isTrashed(shape, place) ? new Date(0) : null;
  return { ...placedFacts(shape, ids, document, document.key), deletedAt };
}

/** The facts of a document in the state that it left, with the caller's rights of today. */
export function departureFacts(shape: Shape, ids: Ids, place: number): DocumentFacts {
  const left = at(shape.departures, place);
  const ownKey = left.document === null ? null : at(shape.documents, left.document).key;
  return { ...placedFacts(shape, ids, left, ownKey), deletedAt: null };
}

/** Whether the caller may know of a tag at all. */
export function seesTag(shape: Shape, place: number): boolean {
  const { restricted, users, groups } = at(shape.tags, place);
  return !restricted || users[0] === true || shape.memberships.some((group) => groups[group] === true);
}

/** The facts of a document for the channel. */
export function channelFacts(shape: Shape, ids: Ids, place: number): ChannelDocumentFacts {
  const { collection, tags, archived } = at(shape.documents, place);
  const { publishedAt, deletedAt } = documentFacts(shape, ids, place);
  const named = (tag: number): boolean => !at(shape.tags, tag).restricted && shape.channel.tags?.includes(tag) === true;
  return {
    publishedAt,
    deletedAt,
    archivedAt: archived ? new Date(0) : null,
    collectionArchived: collection !== null && at(shape.collections, collection).archived,
    collectionNamed: collection !== null && shape.channel.collections?.includes(collection) === true,
    collectionOpen: collection !== null && at(shape.collections, collection).defaultAccess !== "none",
    tagNamed: tags.some(named),
  };
}
