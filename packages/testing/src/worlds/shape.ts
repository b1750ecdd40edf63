import { type Capability, capabilities, type Level } from "@kb/auth";
import fc from "fast-check";

/** How much there is of everything; in each world the same, so that everything can refer to everything by its place. */
export const sizes = { users: 3, groups: 2, collections: 3, documents: 8, tags: 3, departures: 4 } as const;

const level = fc.constantFrom<Level>("none", "read", "write", "manage");
const lowLevel = fc.constantFrom<"none" | "read" | "write">("none", "read", "write");
const rarely = fc.nat({ max: 9 }).map((roll) => roll === 0);
const seldom = fc.nat({ max: 3 }).map((roll) => roll === 0);
const exactly = <T>(size: number, of: fc.Arbitrary<T>) => fc.array(of, { minLength: size, maxLength: size });
const one = (size: number) => fc.nat({ max: size - 1 });

/** Most groups hold enough for the finer rules to matter; the others hold any set at all. */
const relevant: readonly Capability[] = [
  ...["document.read", "document.create", "document.edit"],
  ...["document.publish", "document.delete", "collection.edit", "export"],
] as const;
const heldCapabilities = fc.oneof(
  fc.constant([...relevant]),
  fc.subarray([...relevant]),
  fc.subarray([...capabilities]).map((held): Capability[] => ["document.read", ...held]),
);

const collection = fc.record({
  defaultAccess: lowLevel,
  groups: exactly(sizes.groups, fc.option(level)),
  users: exactly(sizes.users, fc.option(level)),
  key: fc.option(lowLevel),
  archived: seldom,
  /** What lies in a deleted collection is in the trash. */
  deleted: rarely,
});

const document = fc.record({
  collection: fc.option(one(sizes.collections), { freq: 8 }),
  author: fc.option(one(sizes.users), { freq: 8 }),
  /** An earlier document, by its distance. */
  parent: fc.option(one(sizes.documents - 1), { freq: 4 }),
  published: fc.boolean(),
  archived: seldom,
  trashed: seldom,
  tags: fc.subarray([0, 1, 2]),
  key: fc.option(lowLevel),
});

/** A state that a document left: there is a tombstone of it, and an event. */
const departure = fc.record({
  /** The place of the document that left, or one that is gone for good. */
  document: fc.option(one(sizes.documents), { freq: 4 }),
  collection: fc.option(one(sizes.collections), { freq: 8 }),
  author: fc.option(one(sizes.users), { freq: 8 }),
  published: fc.boolean(),
});

const channel = fc.record({
  collections: fc.option(fc.subarray([0, 1, 2]), { freq: 2 }),
  tags: fc.option(fc.subarray([0, 1, 2]), { freq: 2 }),
});

const team = fc.record({
  groups: exactly(sizes.groups, heldCapabilities),
  /** Of the caller, who is the first user; the second is in every group, the third in none. */
  memberships: fc.subarray([0, 1]),
  collections: exactly(sizes.collections, collection),
  documents: exactly(sizes.documents, document),
  /** The last is restricted, and has the name of the first, which is not. */
  tags: exactly(
    sizes.tags,
    fc.record({
      restricted: fc.boolean(),
      groups: exactly(sizes.groups, fc.boolean()),
      users: exactly(sizes.users, fc.boolean()),
    }),
  ).map((tags) => tags.map((tag, place) => ({ ...tag, restricted: place === 1 ? tag.restricted : place === 2 }))),
  departures: exactly(sizes.departures, departure),
  channel,
  systemAdmin: rarely,
  suspended: rarely,
  restricted: fc.boolean(),
});

/** A team at random, with the caller's rights in it. */
export type Shape = typeof team extends fc.Arbitrary<infer T> ? T : never;

/** Two teams whose rows have the same ids: whatever forgets to name the team finds the other's too. */
export const twoTeams: fc.Arbitrary<{ own: Shape; other: Shape }> = fc.record({ own: team, other: team });

/** The thing at a place. @throws {Error} where there is none */
export function at<T>(list: readonly T[], place: number): T {
  const value = list[place];
  if (value === undefined) throw new Error(`nothing at ${place}`);
  return value;
}
