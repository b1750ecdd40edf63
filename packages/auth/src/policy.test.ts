import { newId, type Sql, sql } from "@kb/db";
import { type TestDatabase, testDatabase } from "@kb/testing/database";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type DocumentAction, type DocumentFacts, decideCollection, decideDocument, type Level } from "./access.ts";
import type { Actor } from "./actor.ts";
import type { Capability } from "./capabilities.ts";
import {
  collectionLevel,
  deletableDocuments,
  editableDocuments,
  keyCollectionLevel,
  keyDocumentLevel,
  readableCollections,
  readableDocuments,
} from "./readable.ts";

// The policy has two forms: code for one row, SQL for lists. Random worlds are written to the database; what the SQL form
// selects must be what the code form allows, from facts that are computed here, out of the world itself.

const worlds = Number(process.env.KB_POLICY_WORLDS ?? 500);
const seed = Number(process.env.KB_FUZZ_SEED ?? Date.now() % 2 ** 31);

const levels = ["none", "read", "write", "manage"] as const;
const level = fc.constantFrom<Level>(...levels);
const lowLevel = fc.constantFrom<"none" | "read" | "write">("none", "read", "write");
const relevant: Capability[] = [
  "document.read",
  "document.edit",
  "document.create",
  "document.publish",
  "document.delete",
  "collection.edit",
];

const users = 3;
const groups = 2;
const collections = 3;
const exactly = <T>(size: number, of: fc.Arbitrary<T>) => fc.array(of, { minLength: size, maxLength: size });
const one = (size: number) => fc.nat({ max: size - 1 });

const worldOf = fc.record({
  // Most worlds hold enough rights for the finer rules to matter.
  groups: exactly(groups, fc.oneof(fc.constant(relevant), fc.subarray(relevant))),
  memberships: fc.subarray([0, 1]),
  collections: exactly(
    collections,
    fc.record({
      defaultAccess: lowLevel,
      groups: exactly(groups, fc.option(level)),
      users: exactly(users, fc.option(level)),
      key: fc.option(lowLevel),
    }),
  ),
  documents: exactly(
    8,
    fc.record({
      collection: fc.option(one(collections), { freq: 8 }),
      author: fc.option(one(users), { freq: 8 }),
      published: fc.boolean(),
      trashed: fc.boolean(),
      key: fc.option(lowLevel),
    }),
  ),
  systemAdmin: fc.nat({ max: 9 }).map((roll) => roll === 0),
  restricted: fc.boolean(),
});

type World = typeof worldOf extends fc.Arbitrary<infer T> ? T : never;
type Ids = ReturnType<typeof newIds>;

const newIds = (world: World) => ({
  team: newId(),
  users: Array.from({ length: users }, newId),
  groups: world.groups.map(newId),
  collections: world.collections.map(newId),
  documents: world.documents.map(newId),
  key: newId(),
});

const at = <T>(list: readonly T[], place: number): T => {
  const value = list[place];
  if (value === undefined) throw new Error(`nothing at ${place}`);
  return value;
};

let test: TestDatabase;
beforeAll(async () => {
  test = await testDatabase();
});
afterAll(() => test.drop());

it("readable selects exactly what decide allows, over random worlds [decision.access.two-forms]", async () => {
  console.info(`policy: ${worlds} worlds, seed ${seed}`);
  await fc.assert(fc.asyncProperty(worldOf, checkWorld), { numRuns: worlds, seed });
}, 1_200_000);

async function checkWorld(world: World): Promise<void> {
  const ids = newIds(world);
  await write(world, ids);
  const actor = callerOf(world, ids);
  const facts = world.documents.map((document) => documentFacts(world, document));
  const allowed = (action: DocumentAction): string[] =>
    ids.documents.filter((_, place) => decideDocument(actor, action, at(facts, place)) === "allow").sort();
  const active = sql`d."deletedAt" IS NULL`;
  const trashed = sql`d."deletedAt" IS NOT NULL`;
  expect(await select(ids, sql`${active} AND ${readableDocuments(actor)}`)).toEqual(allowed("read"));
  expect(await select(ids, sql`${active} AND ${editableDocuments(actor)}`)).toEqual(allowed("edit"));
  expect(await select(ids, sql`${active} AND ${deletableDocuments(actor)}`)).toEqual(allowed("delete"));
  expect(await select(ids, sql`${trashed} AND ${deletableDocuments(actor)}`)).toEqual(allowed("restore"));
  expect(allowed("readTrash")).toEqual(allowed("restore"));
  await checkCollections(world, ids, actor);
  await checkFacts(world, ids, actor, facts);
}

async function select(ids: Ids, condition: Sql): Promise<string[]> {
  const rows = await test.database.rows<{ id: string }>(
    sql`SELECT d.id FROM documents d WHERE d."teamId" = ${ids.team}::uuid AND ${condition}`,
  );
  return rows.map((row) => row.id).sort();
}

async function checkCollections(world: World, ids: Ids, actor: Actor): Promise<void> {
  const rows = await test.database.rows<{ id: string }>(
    sql`SELECT c.id FROM collections c WHERE ${readableCollections(actor)}`,
  );
  const allowed = ids.collections.filter((_, place) => {
    const key = world.restricted ? (at(world.collections, place).key ?? "none") : null;
    return decideCollection(actor, "read", { level: userLevel(world, place), keyLevel: key }) === "allow";
  });
  expect(rows.map((row) => row.id).sort()).toEqual(allowed.sort());
}

/** The facts that a single look-up reads are those that the world holds. */
async function checkFacts(world: World, ids: Ids, actor: Actor, facts: readonly DocumentFacts[]): Promise<void> {
  const rows = await test.database.rows<{ id: string; level: Level | null; keyLevel: Level | null }>(sql`
    SELECT d.id, CASE WHEN c.id IS NULL THEN NULL ELSE ${collectionLevel(actor, "c")} END AS level,
      ${keyDocumentLevel(actor)} AS "keyLevel"
    FROM documents d LEFT JOIN collections c ON c."teamId" = d."teamId" AND c.id = d."collectionId"
    WHERE d."teamId" = ${ids.team}::uuid`);
  for (const [place, id] of ids.documents.entries()) {
    const row = rows.find((candidate) => candidate.id === id);
    expect({ level: row?.level, keyLevel: row?.keyLevel }).toEqual({
      level: at(facts, place).level,
      keyLevel: at(facts, place).keyLevel,
    });
  }
  const keyLevels = await test.database.rows<{ keyLevel: Level | null }>(
    sql`SELECT ${keyCollectionLevel(actor)} AS "keyLevel" FROM collections c WHERE c."teamId" = ${ids.team}::uuid
      AND c.id = ${at(ids.collections, 0)}::uuid`,
  );
  expect(keyLevels[0]?.keyLevel).toBe(world.restricted ? (at(world.collections, 0).key ?? "none") : null);
}

const highest = (names: readonly (Level | null | undefined)[]): Level =>
  names.reduce<Level>(
    (best, name) => (name != null && levels.indexOf(name) > levels.indexOf(best) ? name : best),
    "none",
  );

/** The caller is the first user. */
function userLevel(world: World, place: number): Level {
  const collection = at(world.collections, place);
  return highest([
    collection.defaultAccess,
    collection.users[0],
    ...world.memberships.map((group) => collection.groups[group]),
  ]);
}

function documentFacts(world: World, document: World["documents"][number]): DocumentFacts {
  const { collection, author, published, trashed } = document;
  const ofCollection = collection === null ? undefined : at(world.collections, collection).key;
  return {
    level: collection === null ? null : userLevel(world, collection),
    keyLevel: world.restricted ? (document.key ?? ofCollection ?? "none") : null,
    createdById: author === null ? null : (authorIds[author] ?? null),
    publishedAt: published ? new Date(0) : null,
    deletedAt: trashed ? new Date(0) : null,
  };
}

// The ids of the users are the same in every world; teams keep them apart.
const authorIds = Array.from({ length: users }, newId);

function callerOf(world: World, ids: Ids): Actor {
  const held = new Set(world.memberships.flatMap((group) => at(world.groups, group)));
  return {
    teamId: ids.team,
    userId: at(authorIds, 0),
    userName: "caller",
    email: "caller@example.com",
    systemAdmin: world.systemAdmin,
    capabilities: held,
    groupIds: world.memberships.map((group) => at(ids.groups, group)),
    scopes: new Set(["read", "write"]),
    credential: { kind: "api_key", id: ids.key, name: "key" },
    restrictedKeyId: world.restricted ? ids.key : null,
  };
}

async function write(world: World, ids: Ids): Promise<void> {
  const teamId = ids.team;
  const { client } = test.database;
  await client.team.create({ data: { id: teamId, name: "world" } });
  await client.user.createMany({
    data: authorIds.map((id) => ({ teamId, id, name: "u", email: `${id}@${teamId}.example.com` })),
  });
  await client.group.createMany({
    data: ids.groups.map((id, place) => ({ teamId, id, name: `g${place}`, capabilities: at(world.groups, place) })),
  });
  const now = new Date();
  await client.collection.createMany({
    data: world.collections.map(({ defaultAccess }, place) => ({
      teamId,
      id: at(ids.collections, place),
      name: "c",
      defaultAccess,
      createdAt: now,
      updatedAt: now,
    })),
  });
  await client.collectionGrant.createMany({ data: grantsOf(world, ids) });
  await client.document.createMany({
    data: world.documents.map((document, place) => ({
      teamId,
      id: at(ids.documents, place),
      title: "d",
      titleKey: "d",
      collectionId: document.collection === null ? null : at(ids.collections, document.collection),
      createdById: document.author === null ? null : at(authorIds, document.author),
      publishedAt: document.published ? now : null,
      deletedAt: document.trashed ? now : null,
      runStartedAt: now,
      createdAt: now,
      updatedAt: now,
    })),
  });
  await writeKey(world, ids);
}

function grantsOf(world: World, ids: Ids) {
  return world.collections.flatMap((collection, place) => {
    const common = { teamId: ids.team, collectionId: at(ids.collections, place) };
    return [
      ...collection.users.flatMap((name, user) =>
        name === null ? [] : [{ ...common, id: newId(), userId: at(authorIds, user), level: name }],
      ),
      ...collection.groups.flatMap((name, group) =>
        name === null ? [] : [{ ...common, id: newId(), groupId: at(ids.groups, group), level: name }],
      ),
    ];
  });
}

async function writeKey(world: World, ids: Ids): Promise<void> {
  const teamId = ids.team;
  const apiKeyId = ids.key;
  const { client } = test.database;
  await client.apiKey.create({
    data: {
      teamId,
      id: apiKeyId,
      userId: at(authorIds, 0),
      name: "k",
      hash: new Uint8Array(32),
      prefix: "kb_",
      suffix: "x",
      restricted: world.restricted,
    },
  });
  await client.apiKeyCollection.createMany({
    data: world.collections.flatMap(({ key }, place) =>
      key === null ? [] : [{ teamId, apiKeyId, collectionId: at(ids.collections, place), level: key }],
    ),
  });
  await client.apiKeyDocument.createMany({
    data: world.documents.flatMap(({ key }, place) =>
      key === null ? [] : [{ teamId, apiKeyId, documentId: at(ids.documents, place), level: key }],
    ),
  });
}
