import { type Actor, authenticateApiKey } from "@kb/auth";
import {
  at,
  collectionFacts,
  departureFacts,
  documentFacts,
  type Ids,
  idsOf,
  knowsTag,
  type Shape,
  twoTeams,
  writeShape,
} from "@kb/auth/testing";
import { newId, sql } from "@kb/db";
import { type TestDatabase, testDatabase } from "@kb/db/testing";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { EventFacts } from "./audience-rules.ts";
import { eventTypes } from "./event-types.ts";
import { decideEvent, findVisibleEvents } from "./visible-events.ts";

// The audience of an event has two forms: code from facts, SQL over the tables. Random worlds are written to the database,
// each with events of every type. The SQL form must return exactly the events that the code form allows.

const worlds = Number(process.env.KB_POLICY_WORLDS ?? 60);
const seed = Number(process.env.KB_FUZZ_SEED ?? Date.now() % 2 ** 31);

let test: TestDatabase;
beforeAll(async () => {
  test = await testDatabase();
});
afterAll(() => test.drop());

it("the SQL form shows exactly the events that the code form allows, over random worlds", {
  timeout: 3_600_000,
  meta: { proves: ["decision.access.two-forms"] },
}, async () => {
  console.info(`audience: ${worlds} worlds, seed ${seed}`);
  const property = fc.asyncProperty(twoTeams, ({ own, other }) => checkWorld(own, other));
  await fc.assert(property, { numRuns: worlds, seed });
});

/** One event: its row, and the facts for the code form. */
type Subject = {
  readonly id: string;
  readonly type: string;
  readonly at: Date;
  readonly documentId: string | null;
  readonly collectionId: string | null;
  readonly createdById: string | null;
  readonly publishedAt: Date | null;
  readonly data: Readonly<Record<string, unknown>>;
  readonly facts: EventFacts;
};

/** Times before and after everything in the world, so that a tombstone is newer or older than the event. */
const past = new Date("2000-01-01T00:00:00Z");
const future = new Date("2100-01-01T00:00:00Z");

async function checkWorld(shape: Shape, other: Shape): Promise<void> {
  const ids = idsOf(shape);
  const otherIds = { ...ids, team: idsOf(other).team };
  const [{ key }] = await Promise.all([
    writeShape(test.database, shape, ids),
    writeShape(test.database, other, otherIds),
  ]);
  const subjects = subjectsOf(shape, ids);
  // The other team has events with the same ids. A condition without the team would find them.
  await Promise.all([writeEvents(ids.team, subjects), writeEvents(otherIds.team, subjects)]);
  const actor = await authenticateApiKey(test.database, key, new Date());
  if (actor === null) return;
  const eventIds = subjects.map(({ id }) => id);
  expect(await shown(actor, eventIds, [])).toEqual(allowed(actor, shape, ids, subjects));
  const place = at(ids.collections, 0);
  const narrowed = subjects.filter((subject) => subject.type.startsWith("webhook.") || subject.collectionId === place);
  const found = await shown(actor, eventIds, [place]);
  expect(found.filter(([, visibility]) => visibility === "full")).toEqual(
    allowed(actor, shape, ids, narrowed).filter(([, visibility]) => visibility === "full"),
  );
}

type Shown = readonly (readonly [id: string, visibility: string])[];

const byId = (entries: Iterable<readonly [string, string]>): Shown => [...entries].sort(([a], [b]) => (a < b ? -1 : 1));

const shown = async (actor: Actor, eventIds: readonly string[], collectionIds: readonly string[]): Promise<Shown> =>
  byId(await findVisibleEvents(test.database, actor, eventIds, collectionIds));

function allowed(actor: Actor, shape: Shape, ids: Ids, subjects: readonly Subject[]): Shown {
  const decided = subjects.map((subject) => {
    const left = shape.departures.flatMap((_, place) => {
      const isSame = at(ids.departed, place) === subject.documentId;
      const isSince = subject.at === past || subject.type === "document.destroyed";
      return isSame && isSince ? [departureFacts(shape, ids, place)] : [];
    });
    const facts = { ...subject.facts, tag: tagIn(actor, shape, ids, subject) };
    return [subject.id, decideEvent(actor, subject.type, facts, left)] as const;
  });
  return byId(decided.filter(([, visibility]) => visibility !== "hidden"));
}

function tagIn(actor: Actor, shape: Shape, ids: Ids, { data }: Subject): EventFacts["tag"] {
  const place = ids.tags.indexOf(String(data.id));
  if (place === -1) return "gone";
  return knowsTag(actor, shape, ids, place) ? "visible" : "hidden";
}

const nothing: EventFacts = {
  documentThen: null,
  documentNow: null,
  collection: null,
  tag: "gone",
  restricted: false,
  createdById: null,
  userId: null,
};

/** Events of every type about everything in the world. */
function subjectsOf(shape: Shape, ids: Ids): Subject[] {
  const abouts = [...documentsOf(shape, ids), ...departuresOf(shape, ids), ...othersOf(shape, ids)];
  return eventTypes.flatMap((type) =>
    abouts.map((about, place) => ({ ...about, type, at: place % 2 === 0 ? past : future, id: newId() })),
  );
}

type About = Omit<Subject, "id" | "type" | "at">;

const aboutNothing: About = {
  documentId: null,
  collectionId: null,
  createdById: null,
  publishedAt: null,
  data: {},
  facts: nothing,
};

const idAt = (ids: readonly string[], place: number | null): string | null => (place === null ? null : at(ids, place));

function collectionOf(shape: Shape, place: number | null): EventFacts["collection"] {
  if (place === null || at(shape.collections, place).deleted) return null;
  return collectionFacts(shape, place);
}

/** A document by a member of the team: in draft, or published before every event. */
function documentOf(
  ids: Ids,
  id: string,
  { collection, author, published }: { collection: number | null; author: number | null; published: boolean },
  facts: Partial<EventFacts>,
): About {
  const createdById = idAt(ids.users, author);
  return {
    documentId: id,
    collectionId: idAt(ids.collections, collection),
    createdById,
    publishedAt: published ? past : null,
    data: { id },
    facts: { ...nothing, ...facts, createdById },
  };
}

/** Documents in the state in which they still are. */
function documentsOf(shape: Shape, ids: Ids): About[] {
  return shape.documents.map((document, place) => {
    const facts = documentFacts(shape, ids, place);
    const collection = collectionOf(shape, document.collection);
    return documentOf(ids, at(ids.documents, place), document, { documentThen: facts, documentNow: facts, collection });
  });
}

/** Documents in an earlier state, and documents that no longer exist. */
function departuresOf(shape: Shape, ids: Ids): About[] {
  return shape.departures.map((departure, place) => {
    const { document } = departure;
    return documentOf(ids, at(ids.departed, place), departure, {
      documentThen: departureFacts(shape, ids, place),
      documentNow: document === null ? null : documentFacts(shape, ids, document),
      collection: collectionOf(shape, departure.collection),
    });
  });
}

/** Collections, existing and deleted tags, users, and attachments that no document contains. */
function othersOf(shape: Shape, ids: Ids): About[] {
  const collections = ids.collections.map((id, place) => ({
    ...aboutNothing,
    collectionId: id,
    data: { id },
    facts: { ...nothing, collection: collectionOf(shape, place) },
  }));
  const tags = [...ids.tags, newId()].flatMap((id) =>
    [false, true].map((restricted) => ({
      ...aboutNothing,
      data: restricted ? { id, restricted } : { id },
      facts: { ...nothing, restricted },
    })),
  );
  const people = ids.users.map((userId) => ({
    ...aboutNothing,
    createdById: userId,
    data: { id: newId(), userId },
    facts: { ...nothing, createdById: userId, userId },
  }));
  return [...collections, ...tags, ...people];
}

async function writeEvents(teamId: string, subjects: readonly Subject[]): Promise<void> {
  const rows = subjects.map(({ facts: _facts, ...row }, index) => ({
    ...row,
    teamId,
    sequence: 1_000 + index,
    actor: {},
  }));
  await test.database.execute(sql`INSERT INTO events ("teamId", id, sequence, type, at, actor, data, "documentId",
      "collectionId", "createdById", "publishedAt")
    SELECT "teamId", id, sequence, type, at, actor, data, "documentId", "collectionId", "createdById", "publishedAt"
    FROM jsonb_populate_recordset(NULL::events, ${JSON.stringify(rows)}::jsonb)`);
}

it("an event of a type that this release does not know is shown to nobody", async () => {
  const [sample] = fc.sample(twoTeams, { numRuns: 1, seed: 7 });
  if (sample === undefined) throw new Error("no world");
  const shape: Shape = { ...sample.own, systemAdmin: true, suspended: false, restricted: false };
  const ids = idsOf(shape);
  const { key } = await writeShape(test.database, shape, ids);
  const actor = await authenticateApiKey(test.database, key, new Date());
  if (actor === null) throw new Error("nobody");
  const subjects = subjectsOf(shape, ids).map((subject) => ({ ...subject, type: "comment.created" }));
  await writeEvents(ids.team, subjects);
  expect(
    await shown(
      actor,
      subjects.map(({ id }) => id),
      [],
    ),
  ).toEqual([]);
  expect(decideEvent(actor, "comment.created", nothing, [])).toBe("hidden");
});
