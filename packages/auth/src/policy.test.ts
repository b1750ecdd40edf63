import {
  at,
  capabilitiesOf,
  channelFacts as channelFactsOf,
  collectionFacts,
  departureFacts,
  documentFacts,
  type Ids,
  idsOf,
  isTrashed,
  knowsTag,
  parentOf,
  type Shape,
  seesTag,
  twoTeams,
  writeShape,
} from "@kb/auth/testing";
import { empty, join, type Sql, sql } from "@kb/db";
import { type TestDatabase, testDatabase } from "@kb/db/testing";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type DocumentAction, decideCollection, decideDocument, type Level } from "./access.ts";
import type { Actor } from "./actor.ts";
import { authenticateApiKey } from "./authenticate.ts";
import { channelDocuments, channelFacts, decideChannelDocument } from "./channel-access.ts";
import { authenticateChannelToken } from "./channel-reader.ts";
import { readableTotal } from "./countable.ts";
import { knownTags } from "./known-tags.ts";
import {
  collectionLevel,
  deletableDocuments,
  editableDocuments,
  keyCollectionLevel,
  keyDocumentLevel,
  knownParents,
  readableCollections,
  readableDocuments,
  readableEvents,
  readableTombstones,
  visibleTags,
} from "./readable.ts";
import { readRightsInDocuments } from "./rights-in-documents.ts";
import { documentFacts as lookedUpFacts, visibleDocument } from "./visible-document.ts";

// The policy has two forms: code for one row, SQL for lists. Random worlds are written to the database; what the SQL form
// selects must be what the code form allows, from facts that are computed out of the shape of the world itself.

const worlds = Number(process.env.KB_POLICY_WORLDS ?? 100);
const seed = Number(process.env.KB_FUZZ_SEED ?? Date.now() % 2 ** 31);

let test: TestDatabase;
beforeAll(async () => {
  test = await testDatabase();
});
afterAll(() => test.drop());

it("in random worlds, readable selects exactly the documents that decide allows", {
  timeout: 3_600_000,
  meta: { proves: ["decision.access.two-forms"] },
}, async () => {
  console.info(`policy: ${worlds} worlds, seed ${seed}`);
  await fc.assert(
    fc.asyncProperty(twoTeams, ({ own, other }) => checkWorld(own, other)),
    { numRuns: worlds, seed, endOnFailure: process.env.KB_MUTATION !== undefined },
  );
});

/** The other team has the same ids in another shape: a condition that forgets the team finds them. */
async function checkWorld(shape: Shape, other: Shape): Promise<void> {
  const { database } = test;
  const ids = idsOf(shape);
  const [written] = await Promise.all([
    writeShape(database, shape, ids),
    writeShape(database, other, { ...ids, team: idsOf(other).team }),
  ]);
  const actor = await authenticateApiKey(database, written.key, new Date());
  await checkChannel(shape, ids, written.channelToken);
  expect(actor === null).toBe(shape.suspended);
  if (actor === null) return;
  expect(actor).toMatchObject({ teamId: ids.team, userId: ids.users[0], systemAdmin: shape.systemAdmin });
  expect(actor.capabilities).toEqual(capabilitiesOf(shape));
  expect([...actor.groupIds].sort()).toEqual(shape.memberships.map((group) => at(ids.groups, group)).sort());
  expect(actor.restrictedKeyId).toBe(shape.restricted ? ids.keys[0] : null);
  const checks = [checkDocuments, checkTotals, checkDepartures, checkCollections, checkTags, checkFacts, checkRights];
  await Promise.all(checks.map((check) => check(shape, ids, actor)));
}

async function selected(from: Sql): Promise<string[]> {
  const rows = await test.database.acrossTeams.rows<{ id: string }>(sql`SELECT ${from}`);
  return rows.map((row) => row.id).sort();
}

const places = (list: readonly unknown[]): number[] => list.map((_, place) => place);

async function checkDocuments(shape: Shape, ids: Ids, actor: Actor): Promise<void> {
  const pick = (holds: (place: number) => boolean): string[] =>
    places(ids.documents)
      .filter(holds)
      .map((place) => at(ids.documents, place))
      .sort();
  const allowed = (action: DocumentAction): string[] =>
    pick((place) => decideDocument(actor, action, documentFacts(shape, ids, place)) === "allow");
  const documents = (condition: Sql): Promise<string[]> => selected(sql`d.id FROM documents d WHERE ${condition}`);
  const active = sql`d."deletedAt" IS NULL`;
  const trashed = sql`d."deletedAt" IS NOT NULL`;
  expect(await documents(sql`${active} AND ${readableDocuments(actor)}`)).toEqual(allowed("read"));
  expect(await documents(sql`${active} AND ${editableDocuments(actor)}`)).toEqual(allowed("edit"));
  expect(await documents(sql`${active} AND ${deletableDocuments(actor)}`)).toEqual(allowed("delete"));
  expect(await documents(sql`${trashed} AND ${deletableDocuments(actor)}`)).toEqual(allowed("restore"));
  expect(allowed("readTrash")).toEqual(allowed("restore"));
  const knows = (child: number): boolean => {
    const parent = parentOf(shape, child);
    if (parent === null) return false;
    const action = isTrashed(shape, parent) ? "readTrash" : "read";
    const known = decideDocument(actor, action, documentFacts(shape, ids, parent)) === "allow";
    return known && (!isTrashed(shape, parent) || isTrashed(shape, child));
  };
  const alone = sql`d.id FROM documents d
    LEFT JOIN collections c ON c."teamId" = d."teamId" AND c.id = d."collectionId"
    CROSS JOIN LATERAL ${lookedUpFacts(actor)} f WHERE d."teamId" = ${ids.team}::uuid AND ${visibleDocument(actor)}`;
  expect(await selected(alone)).toEqual([...allowed("read"), ...allowed("readTrash")].sort());
  const parents = sql`d.id FROM documents d JOIN documents p ON p.id = d."parentDocumentId"
    WHERE d."teamId" = ${ids.team}::uuid AND ${knownParents(actor)}`;
  expect(await selected(parents)).toEqual(pick(knows));
}

/** The rights that are read for many users of open documents at once are those of a log-in of each. */
async function checkRights(shape: Shape, ids: Ids, actor: Actor): Promise<void> {
  const asked = ids.documents.map((documentId) => ({ teamId: ids.team, userId: actor.userId, documentId }));
  const expected = places(ids.documents).map((place) => {
    const facts = { ...documentFacts(shape, ids, place), keyLevel: null };
    if (decideDocument(actor, "read", facts) !== "allow") return null;
    return { userName: actor.userName, canWrite: decideDocument(actor, "edit", facts) === "allow" };
  });
  expect(await readRightsInDocuments(test.database, asked)).toEqual(expected);
}

/** A total comes from counts that are kept: it is how many rows there are, of every state and in every collection. */
async function checkTotals(_shape: Shape, ids: Ids, actor: Actor): Promise<void> {
  const states = [
    sql`TRUE`,
    sql`d."archivedAt" IS NULL`,
    sql`d."archivedAt" IS NOT NULL`,
    sql`(d."publishedAt" IS NULL AND d."archivedAt" IS NULL)`,
  ];
  const inPlaces = [undefined, ...ids.collections.map((id) => sql`${id}::uuid`)];
  const withTags = [undefined, ...ids.tags.map((id) => sql`${id}::uuid`)];
  const totals = states.flatMap((state) =>
    inPlaces.flatMap((collectionId) =>
      withTags.map((tagId) => {
        const condition = collectionId === undefined ? state : sql`${state} AND d."collectionId" = ${collectionId}`;
        const carried =
          tagId === undefined
            ? empty
            : sql` AND EXISTS (SELECT 1 FROM document_tags dt
          WHERE dt."teamId" = d."teamId" AND dt."documentId" = d.id AND dt."tagId" = ${tagId})`;
        return sql`SELECT ${readableTotal(actor, condition, { collectionId, tagId })}::int AS total, (SELECT count(*)::int
          FROM documents d WHERE d."deletedAt" IS NULL AND ${condition} AND ${readableDocuments(actor)}${carried}) AS rows`;
      }),
    ),
  );
  type Total = { total: number; rows: number };
  const found = await test.database.acrossTeams.rows<Total>(join(totals, " UNION ALL "));
  expect(found.map(({ total }) => total)).toEqual(found.map(({ rows }) => rows));
}

async function checkDepartures(shape: Shape, ids: Ids, actor: Actor): Promise<void> {
  const allowed = places(shape.departures)
    .filter((place) => decideDocument(actor, "read", departureFacts(shape, ids, place)) === "allow")
    .map((place) => at(ids.departed, place))
    .sort();
  expect(await selected(sql`s."documentId" AS id FROM tombstones s WHERE ${readableTombstones(actor)}`)).toEqual(
    allowed,
  );
  expect(await selected(sql`e."documentId" AS id FROM events e WHERE ${readableEvents(actor)}`)).toEqual(allowed);
}

async function checkCollections(shape: Shape, ids: Ids, actor: Actor): Promise<void> {
  const allowed = places(ids.collections).filter(
    (place) =>
      !at(shape.collections, place).deleted &&
      decideCollection(actor, "read", collectionFacts(shape, place)) === "allow",
  );
  expect(await selected(sql`c.id FROM collections c WHERE ${readableCollections(actor)}`)).toEqual(
    allowed.map((place) => at(ids.collections, place)).sort(),
  );
}

async function checkTags(shape: Shape, ids: Ids, actor: Actor): Promise<void> {
  const seen = places(ids.tags).filter((place) => seesTag(shape, place));
  expect(await selected(sql`t.id FROM tags t WHERE ${visibleTags(actor)}`)).toEqual(
    seen.map((place) => at(ids.tags, place)).sort(),
  );
  const known = places(ids.tags).filter((place) => knowsTag(actor, shape, ids, place));
  expect(await selected(sql`t.id FROM tags t WHERE ${knownTags(actor)}`)).toEqual(
    known.map((place) => at(ids.tags, place)).sort(),
  );
}

/** The facts that a single look-up reads are those that the world holds. */
async function checkFacts(shape: Shape, ids: Ids, actor: Actor): Promise<void> {
  type Row = { id: string; level: Level | null; keyLevel: Level | null };
  const byId = (rows: Row[]): Row[] => rows.sort((a, b) => (a.id < b.id ? -1 : 1));
  const documents = await test.database.rows<Row>(sql`
    SELECT d.id, CASE WHEN c.id IS NULL THEN NULL ELSE ${collectionLevel(actor, "c")} END AS level,
      ${keyDocumentLevel(actor)} AS "keyLevel"
    FROM documents d LEFT JOIN collections c ON c."teamId" = d."teamId" AND c.id = d."collectionId"
    WHERE d."teamId" = ${ids.team}::uuid`);
  const expected = ids.documents.map((id, place) => {
    const { level, keyLevel } = documentFacts(shape, ids, place);
    return { id, level, keyLevel };
  });
  expect(byId(documents)).toEqual(byId(expected));
  const collections = await test.database.rows<Row>(sql`
    SELECT c.id, ${collectionLevel(actor, "c")} AS level, ${keyCollectionLevel(actor)} AS "keyLevel"
    FROM collections c WHERE c."teamId" = ${ids.team}::uuid`);
  expect(byId(collections)).toEqual(
    byId(ids.collections.map((id, place) => ({ id, ...collectionFacts(shape, place) }))),
  );
}

async function checkChannel(shape: Shape, ids: Ids, token: string): Promise<void> {
  const reader = await authenticateChannelToken(test.database, token, new Date());
  if (reader === null) throw new Error("the token opens no channel");
  expect(reader).toMatchObject({ teamId: ids.team, channelId: ids.channel });
  const facts = places(ids.documents).map((place) => channelFactsOf(shape, ids, place));
  const shown = ids.documents.filter((_, place) => decideChannelDocument(reader, at(facts, place)) === "allow");
  const page = { range: empty, order: sql`d."updatedAt"`, rows: ids.documents.length };
  for (const listed of [undefined, page]) {
    const documents = sql`d.id FROM documents d WHERE ${channelDocuments(reader, listed)}`;
    expect(await selected(documents)).toEqual([...shown].sort());
  }
  const rows = await test.database.rows<{ id: string }>(
    sql`SELECT d.id, ${channelFacts(reader)} FROM documents d WHERE d."teamId" = ${ids.team}::uuid`,
  );
  for (const [place, id] of ids.documents.entries()) {
    const { collectionNamed, collectionOpen, tagNamed, collectionArchived } = at(facts, place);
    expect(rows.find((row) => row.id === id)).toEqual({
      id,
      collectionNamed,
      collectionOpen,
      tagNamed,
      collectionArchived,
    });
  }
}
