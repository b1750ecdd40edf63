import fc from "fast-check";
import { type Capability, capabilities, type Level } from "../index.ts";

/** The number of rows of each kind: the same in every world, so that rows can refer to each other by position. */
export const sizes = { users: 3, groups: 2, collections: 3, documents: 8, tags: 3, departures: 4 } as const;

const level = fc.constantFrom<Level>("none", "read", "write", "manage");
const lowLevel = fc.constantFrom<"none" | "read" | "write">("none", "read", "write");
const rarely = fc.nat({ max: 9 }).map((roll) => roll === 0);
const seldom = fc.nat({ max: 3 }).map((roll) => roll === 0);
const exactly = <T>(size: number, of: fc.Arbitrary<T>) => fc.array(of, { minLength: size, maxLength: size });
const one = (size: number) => fc.nat({ max: size - 1 });

/** Most groups have enough capabilities for the finer rules to apply; the others have any set. */
const relevant: readonly Capability[] = [
  "document.read",
  "document.create",
  "document.edit",
  "document.publish",
  "document.delete",
  "collection.edit",
  "export",
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
  /** The documents of a deleted collection are in the trash. */
  deleted: rarely,
});

const document = fc.record({
  collection: fc.option(one(sizes.collections), { freq: 8 }),
  author: fc.option(one(sizes.users), { freq: 8 }),
  /** The distance to an earlier document. */
  parent: fc.option(one(sizes.documents - 1), { freq: 4 }),
  published: fc.boolean(),
  archived: seldom,
  trashed: seldom,
  tags: fc.subarray([0, 1, 2]),
  key: fc.option(lowLevel),
});

/** An earlier state of a document, recorded by a tombstone and an event. */
const departure = fc.record({
  /** The position of the document; null for one that was destroyed. */
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
  /** The groups of the caller, who is the first user. The second user is in every group, the third in none. */
  memberships: fc.subarray([0, 1]),
  collections: exactly(sizes.collections, collection),
  documents: exactly(sizes.documents, document),
  /** The last tag is restricted and has the name of the first, which is not restricted. */
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

/** A random team with the permissions of the caller. */
export type Shape = typeof team extends fc.Arbitrary<infer T> ? T : never;

/** Two teams whose rows have the same ids: a query that omits the team finds the rows of both. */
export const twoTeams: fc.Arbitrary<{ own: Shape; other: Shape }> = fc.record({ own: team, other: team });

/** Returns the value at a position. @throws {Error} if there is none */
export function at<T>(list: readonly T[], place: number): T {
  const value = list[place];
  if (value === undefined) throw new Error(`nothing at ${place}`);
  return value;
}
