import {
  type Actor,
  type Capability,
  type ChannelDocumentFacts,
  type CollectionFacts,
  type DocumentFacts,
  decideDocument,
  type Level,
} from "../index.ts";
import { at, type Shape } from "./shape.ts";
import { type Ids, isTrashed } from "./write.ts";

// Facts of a world, computed only from its shape, without any statement of the service.

const levels: readonly Level[] = ["none", "read", "write", "manage"];

const highest = (names: readonly (Level | null | undefined)[]): Level =>
  names.reduce<Level>((best, name) => (name && levels.indexOf(name) > levels.indexOf(best) ? name : best), "none");

/** Returns the capabilities of the caller's groups together. */
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

/** Whether a tag is unrestricted, or its list names the caller. */
export function seesTag(shape: Shape, place: number): boolean {
  const { restricted, users, groups } = at(shape.tags, place);
  return !restricted || users[0] === true || shape.memberships.some((group) => groups[group] === true);
}

/** Whether the caller may learn the name of a tag: a document that they may read carries it, or no document does. */
export function knowsTag(actor: Actor, shape: Shape, ids: Ids, place: number): boolean {
  const carriers = shape.documents.flatMap(({ tags }, document) => (tags.includes(place) ? [document] : []));
  const isReadable = (document: number): boolean =>
    decideDocument(actor, "read", documentFacts(shape, ids, document)) === "allow";
  const isUnused = carriers.length === 0 || at(shape.tags, place).restricted;
  return seesTag(shape, place) && (carriers.some(isReadable) || (isUnused && !shape.restricted));
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
