import type { NewPlace } from "../actions/create.ts";
import type { ParentPlace } from "../actions/place-query.ts";
import type { BootCollection } from "../api/contract.ts";
import { shownSymbol } from "../parts/shown-symbol.ts";

/** The place of a new document, as it stands in the address: a collection, or a document above the new one. */
export type NewParameters = {
  collection?: string;
  parent?: string;
};

const idPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const idLength = 36;

/** Reads the place of an address. What is no id is kept, as far as it takes to tell: a damaged link is a place that is not found. */
export function newParameters(search: Record<string, unknown>): NewParameters {
  const text = (name: string): string => {
    const [first = ""] = [search[name]].flat();
    return (typeof first === "object" ? "an object" : String(first))
      .trim()
      .slice(0, idLength + 1)
      .toWellFormed()
      .toLowerCase();
  };
  const collection = text("collection");
  const parent = text("parent");
  return { ...(collection === "" ? {} : { collection }), ...(parent === "" ? {} : { parent }) };
}

/** Returns the id of the document that is asked for; undefined if an address names none, or something that is no id. */
export const parentOf = ({ parent = "" }: NewParameters): string | undefined =>
  idPattern.test(parent) ? parent : undefined;

/** Returns the collections in which the reader may create documents. */
export const writableCollections = (collections: readonly BootCollection[]): BootCollection[] =>
  collections.filter(({ archivedAt, abilities }) => archivedAt === null && abilities.createDocument);

/** A place with its name and the names above it. */
type NamedPlace = { readonly name: string; readonly emoji: string | null; readonly above: readonly string[] };

/** The place that an address asks for: nothing can be created in one that is closed. One that is hidden is absent. */
export type FoundPlace =
  | { readonly kind: "unchosen" }
  | { readonly kind: "absent" }
  | { readonly kind: "closed"; readonly why: "archived" | "trashed" | "readOnly"; readonly name: string }
  | ({ readonly kind: "open"; readonly place: NewPlace } & NamedPlace);

type Known = {
  readonly collections: readonly BootCollection[];
  /** The document that `parentOf` names; null if it is not there for the reader. */
  readonly parent: ParentPlace | null;
  readonly untitled: string;
};

/** Finds the place of a new document. Without one in the address it is the only collection to write in, if there is one. */
export function findPlace(parameters: NewParameters, { collections, parent, untitled }: Known): FoundPlace {
  if (parameters.parent !== undefined) {
    return parentOf(parameters) === undefined || parent === null ? { kind: "absent" } : placeBelow(parent, untitled);
  }
  const writable = writableCollections(collections);
  const [only] = writable.length === 1 && parameters.collection === undefined ? writable : [];
  const collection = only ?? collections.find(({ id }) => id === parameters.collection);
  if (collection === undefined) return parameters.collection === undefined ? { kind: "unchosen" } : { kind: "absent" };
  const { id, name, icon, archivedAt } = collection;
  if (archivedAt !== null) return { kind: "closed", why: "archived", name };
  if (!collection.abilities.createDocument) return { kind: "closed", why: "readOnly", name };
  return { kind: "open", place: { collectionId: id, parentId: null }, name, emoji: shownSymbol(icon), above: [] };
}

function placeBelow(parent: ParentPlace, untitled: string): FoundPlace {
  const { id, title, emoji, archivedAt, deletedAt, collection, path, createChild } = parent;
  const name = title || untitled;
  if (deletedAt !== null) return { kind: "closed", why: "trashed", name };
  if (archivedAt !== null) return { kind: "closed", why: "archived", name };
  if (collection === null || !createChild) return { kind: "closed", why: "readOnly", name };
  const above = [collection.name, ...path.map((each) => each.title || untitled)];
  return { kind: "open", place: { collectionId: collection.id, parentId: id }, name, emoji, above };
}
