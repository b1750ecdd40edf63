import { callerOf, createWorld, outcomeOf, type TestCaller, type World } from "@kb/core/testing";
import { type TestDatabase, testDatabase } from "@kb/db/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const steps = Number(process.env.KB_FUZZ_STEPS ?? 150);
const seed = Number(process.env.KB_FUZZ_SEED ?? Date.now() % 2 ** 31);

/** Returns a small random generator (mulberry32): the same seed makes the same changes. */
function generator(state: number): (below: number) => number {
  let a = state;
  return (below) => {
    a = (a + 0x6d2b79f5) | 0;
    let t = Math.imul(a ^ (a >>> 15), a | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

/** A client that keeps only what it reads by the sync. */
class Follower {
  readonly name: string;
  readonly caller: TestCaller;
  readonly held = new Map<string, number>();
  #position: object = { updatedSince: new Date(Date.now() - 86_400_000).toISOString() };

  constructor(name: string, caller: TestCaller) {
    this.name = name;
    this.caller = caller;
  }

  async follow(limit: number): Promise<void> {
    for (;;) {
      const { data, hasMore, nextCursor } = await this.caller.sync({ ...this.#position, includeDeleted: true, limit });
      for (const row of data) {
        if ("tombstone" in row) this.held.delete(row.id);
        else this.held.set(row.id, row.revision);
      }
      this.#position = { cursor: nextCursor };
      if (!hasMore) return;
    }
  }

  async readVisible(): Promise<Map<string, number>> {
    const rows = new Map<string, number>();
    for (let offset = 0; ; offset += 100) {
      const { data } = await this.caller.list({ limit: 100, sort: "createdAt", offset });
      for (const row of data) rows.set(row.id, row.revision);
      if (data.length < 100) return rows;
    }
  }
}

type Change = (by: TestCaller, id: string) => Promise<unknown>;

/** Returns the changes that a random writer makes. They add the documents that they create to `ids`. */
function changesOf(world: World, ids: string[], random: (below: number) => number): readonly Change[] {
  const { open, readable, vault, granted } = world.collections;
  const place = (): string => pick([open, readable, vault, granted], random);
  return [
    async (by) => {
      const parent = random(2) === 0 ? {} : { parentDocumentId: pick(ids, random) };
      const { id } = await by.create({ collectionId: place(), publish: random(2) === 0, ...parent });
      ids.push(id);
    },
    (by, id) => by.update(id, { title: `Title ${random(1000)}` }),
    (by, id) => by.update(id, { published: random(2) === 0 }),
    (by, id) => by.update(id, { collectionId: place() }),
    (by, id) => by.update(id, { parentDocumentId: random(3) === 0 ? null : pick(ids, random) }),
    (by, id) => by.delete(id),
    (by, id) => by.restore(id),
    (by, id) => by.restore(id, { collectionId: place() }),
    (by, id) => by.archive(id),
    (by, id) => by.unarchive(id),
    (by) => (random(4) === 0 ? by.archiveCollection(place()) : by.unarchiveCollection(place())),
  ];
}

function pick<T>(values: readonly T[], random: (below: number) => number): T {
  const value = values[random(values.length)];
  if (value === undefined) throw new Error("nothing to pick from");
  return value;
}

describe(`followers of the sync (${steps} changes, seed ${seed})`, () => {
  let test: TestDatabase;
  let world: World;
  beforeAll(async () => {
    test = await testDatabase();
    world = await createWorld(test.database);
  });
  afterAll(() => test.drop());

  async function followersOf({ people, collections, documents }: World): Promise<readonly Follower[]> {
    const narrow = await world.key(people.editor, ["read"], {
      restrictions: {
        collections: { [collections.open]: "read" },
        documents: { [documents.child.id]: "none", [documents.adminDraft.id]: "read" },
      },
    });
    const names = ["admin", "editor", "member", "viewer", "outsider"] as const;
    return [
      ...names.map((name) => new Follower(name, callerOf(world, people[name]))),
      new Follower("restricted key", callerOf(world, narrow)),
    ];
  }

  it("each holds exactly what it may see after every kind of change", {
    timeout: 60_000 + steps * 400,
    meta: { proves: ["decision.sync.tombstones", "decision.sync.cursor", "decision.access.restricted-views"] },
  }, async () => {
    const { admin, editor, member } = world.people;
    const random = generator(seed);
    const writers = [admin, admin, editor, member].map((person) => callerOf(world, person));
    const followers = await followersOf(world);
    const ids = Object.values(world.documents).map((document) => document.id);
    const changes = changesOf(world, ids, random);
    const sorted = (rows: Map<string, number>): object => Object.fromEntries([...rows].sort());
    for (let step = 0; step < steps; step += 1) {
      // A change may be refused, for it is drawn at random.
      await outcomeOf(pick(changes, random)(pick(writers, random), pick(ids, random)));
      if (random(5) > 0 && step < steps - 1) continue;
      for (const follower of followers) {
        await follower.follow(pick([1, 2, 3, 10, 500], random));
        const visible = await follower.readVisible();
        expect(sorted(follower.held), `${follower.name} after step ${step}, seed ${seed}`).toEqual(sorted(visible));
      }
    }
  });
});
