import {
  type Actor,
  authenticateApiKey,
  authenticateChannelToken,
  type DocumentAction,
  decideChannelDocument,
  decideCollection,
  decideDocument,
} from "@kb/auth";
import {
  at,
  channelFacts,
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
  sizes,
  tagName,
  twoTeams,
  writeShape,
} from "@kb/auth/testing";
import { sql } from "@kb/db";
import { type TestDatabase, testDatabase } from "@kb/db/testing";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Service } from "./context.ts";
import { bodyOf, parseBody } from "./documents/body.ts";
import { ServiceError } from "./errors.ts";
import { invoke } from "./invoke.ts";
import * as operations from "./operations.ts";
import { indexDocument } from "./search/index.ts";

// Random worlds, seen through the operations: what each list, search, sync and count shows must be what the policy allows
// for each single row, by facts that are computed out of the shape of the world itself.

const worlds = Number(process.env.KB_POLICY_WORLDS ?? 60);
const seed = Number(process.env.KB_FUZZ_SEED ?? Date.now() % 2 ** 31);

let test: TestDatabase;
let service: Service;
beforeAll(async () => {
  test = await testDatabase();
  service = { database: test.database, clock: { now: () => new Date() }, appUrl: "http://localhost:3000" };
});
afterAll(() => test.drop());

it("every list shows exactly what the policy allows row by row, over random worlds", {
  timeout: 3_600_000,
  meta: { proves: ["decision.access.two-forms", "decision.access.restricted-views"] },
}, async () => {
  console.info(`list equals row: ${worlds} worlds, seed ${seed}`);
  const property = fc.asyncProperty(twoTeams, ({ own, other }) => checkWorld(own, other));
  await fc.assert(property, { numRuns: worlds, seed });
});

const body = bodyOf(parseBody("Marlu stays."));
const index = indexDocument({ title: "", tags: [], headings: [], text: body.text, addresses: [] });

/** The same words in every document. */
async function writeBodies(ids: Ids): Promise<void> {
  await test.database.execute(sql`
    INSERT INTO document_bodies ("teamId", "documentId", content, text, markdown, folded, vector)
    SELECT ${ids.team}::uuid, unnest(${ids.documents}::uuid[]), ${body.content}::jsonb, ${body.text},
      ${body.markdown}, ${index.folded}, ${index.vector}::tsvector`);
}

/** A world, with what the policy says of each of its rows. */
type Subject = {
  readonly shape: Shape;
  readonly ids: Ids;
  readonly actor: Actor;
  allows(action: DocumentAction, place: number): boolean;
  /** The ids of the documents of which it holds, sorted. */
  documents(holds: (place: number) => boolean): string[];
};

async function checkWorld(shape: Shape, other: Shape): Promise<void> {
  const ids = idsOf(shape);
  const otherIds = { ...ids, team: idsOf(other).team };
  const [written] = await Promise.all([
    writeShape(test.database, shape, ids),
    writeShape(test.database, other, otherIds),
  ]);
  await Promise.all([writeBodies(ids), writeBodies(otherIds)]);
  await checkChannel(shape, ids, written.channelToken);
  const actor = await authenticateApiKey(test.database, written.key, new Date());
  if (actor === null || !(actor.systemAdmin || actor.capabilities.has("document.read"))) return;
  const allows = (action: DocumentAction, place: number): boolean =>
    decideDocument(actor, action, documentFacts(shape, ids, place)) === "allow";
  const documents = (holds: (place: number) => boolean): string[] =>
    ids.documents.filter((_, place) => holds(place)).sort();
  const subject = { shape, ids, actor, allows, documents };
  await checkLists(subject);
  await checkFilters(subject);
  await checkSync(subject);
  await checkSearch(subject);
  await checkRows(subject);
  await checkCollections(subject);
  await checkTags(subject);
  await checkAssistants(subject);
  await checkExports(subject);
}

async function checkChannel(shape: Shape, ids: Ids, token: string): Promise<void> {
  const reader = await authenticateChannelToken(test.database, token, new Date());
  if (reader === null) throw new Error("the token opens no channel");
  const shown = ids.documents.filter(
    (_, place) => decideChannelDocument(reader, channelFacts(shape, ids, place)) === "allow",
  );
  const { data } = await invoke(service, operations.listPublished, reader, { channelId: ids.channel, limit: 100 });
  expect(idsIn(data)).toEqual([...shown].sort());
  for (const id of ids.documents) {
    const got = await outcome(invoke(service, operations.getPublished, reader, { channelId: ids.channel, id }));
    expect(got).toBe(shown.includes(id) ? "allow" : "hidden");
  }
}

/** Returns the list in the manifest of an export, after all of its files were read. */
async function exported(actor: Actor, id: string): Promise<Shown[]> {
  const { files } = await invoke(service, operations.exportCollection, actor, { id });
  let last = "";
  for (const file of files) {
    const pieces: Uint8Array[] = [];
    for await (const piece of (await file.open()) ?? []) pieces.push(piece);
    last = Buffer.concat(pieces).toString();
  }
  const manifest: { documents: Shown[] } = JSON.parse(last);
  return manifest.documents;
}

async function checkExports(subject: Subject): Promise<void> {
  const { shape, ids, actor, documents } = subject;
  if (!actor.systemAdmin && !actor.capabilities.has("export")) return;
  for (const [collection, id] of ids.collections.entries()) {
    if (!canSeeCollection(actor, shape, collection)) {
      expect(await outcome(invoke(service, operations.exportCollection, actor, { id }))).toBe("hidden");
      continue;
    }
    const rows = await exported(actor, id);
    const inside = documents(
      (place) => isListed(subject, place) && at(shape.documents, place).collection === collection,
    );
    expect(idsIn(rows)).toEqual(inside);
    for (const row of rows) {
      const place = ids.documents.indexOf(row.id);
      const open = at(shape.documents, place).tags.filter((tag) => !at(shape.tags, tag).restricted);
      expect(row.tags).toEqual(open.map(tagName).sort());
      const parent = knownParent(subject, place);
      expect(row.parentDocumentId).toBe(parent !== null && inside.includes(parent) ? parent : null);
    }
  }
}

type Shown = { readonly id: string; readonly parentDocumentId?: string | null; readonly tags?: readonly string[] };

const idsIn = (rows: readonly { readonly id: string }[]): string[] => rows.map((row) => row.id).sort();

async function listed({ actor }: Subject, filter: object): Promise<Shown[]> {
  const page = await invoke(service, operations.listDocuments, actor, { limit: 100, ...filter });
  if (!("total" in page)) throw new Error("a sync was answered");
  expect(page.total).toBe(page.data.length);
  return page.data;
}

const isArchived = ({ shape }: Subject, place: number): boolean => at(shape.documents, place).archived;

/** Readable, and neither in the trash nor archived: what a list without filters shows. */
const isListed = (subject: Subject, place: number): boolean =>
  subject.allows("read", place) && !isArchived(subject, place);

async function checkLists(subject: Subject): Promise<void> {
  const { shape, ids, allows, documents } = subject;
  const plain = await listed(subject, {});
  expect(idsIn(plain)).toEqual(documents((place) => isListed(subject, place)));
  for (const status of ["draft", "published"] as const) {
    const isOf = (place: number): boolean => at(shape.documents, place).published === (status === "published");
    const expected = documents((place) => isListed(subject, place) && isOf(place));
    expect(idsIn(await listed(subject, { status: [status] }))).toEqual(expected);
  }
  const archived = await listed(subject, { status: ["archived"] });
  expect(idsIn(archived)).toEqual(documents((place) => allows("read", place) && isArchived(subject, place)));
  const trash = await listed(subject, { deleted: true });
  expect(idsIn(trash)).toEqual(documents((place) => allows("restore", place)));
  for (const row of [...plain, ...archived, ...trash]) {
    const place = ids.documents.indexOf(row.id);
    expect(row.parentDocumentId).toBe(knownParent(subject, place));
    const open = at(shape.documents, place).tags.filter((tag) => !at(shape.tags, tag).restricted);
    expect(row.tags).toEqual(open.map(tagName).sort());
  }
}

/** The parent that the caller may know of: one in the trash is known only from the trash. */
function knownParent({ shape, ids, allows }: Subject, place: number): string | null {
  const parent = parentOf(shape, place);
  if (parent === null) return null;
  const known = isTrashed(shape, parent)
    ? isTrashed(shape, place) && allows("readTrash", parent)
    : allows("read", parent);
  return known ? at(ids.documents, parent) : null;
}

async function checkFilters(subject: Subject): Promise<void> {
  const { shape, ids, actor, allows, documents } = subject;
  for (const [collection, collectionId] of ids.collections.entries()) {
    const seen = canSeeCollection(actor, shape, collection);
    const inside = (place: number): boolean => seen && at(shape.documents, place).collection === collection;
    const expected = documents((place) => isListed(subject, place) && inside(place));
    expect(idsIn(await listed(subject, { collectionId }))).toEqual(expected);
  }
  for (const name of ["tag 0", "tag 1"]) {
    const carries = (place: number): boolean =>
      at(shape.documents, place).tags.some((tag) => tagName(tag) === name && seesTag(shape, tag));
    const expected = documents((place) => isListed(subject, place) && carries(place));
    expect(idsIn(await listed(subject, { tag: [name] }))).toEqual(expected);
  }
  for (const [parent, parentDocumentId] of ids.documents.entries()) {
    const seen = allows("read", parent) || allows("readTrash", parent);
    const expected = documents((place) => isListed(subject, place) && seen && parentOf(shape, place) === parent);
    expect(idsIn(await listed(subject, { parentDocumentId }))).toEqual(expected);
  }
}

function canSeeCollection(actor: Actor, shape: Shape, place: number): boolean {
  const { deleted } = at(shape.collections, place);
  return !deleted && decideCollection(actor, "read", collectionFacts(shape, place)) === "allow";
}

async function checkSync(subject: Subject): Promise<void> {
  const { shape, ids, actor, documents } = subject;
  const updatedSince = new Date(Date.now() - 3_600_000).toISOString();
  const sync = (more: object) => invoke(service, operations.listDocuments, actor, { updatedSince, ...more });
  const visible = documents((place) => isListed(subject, place));
  expect(idsIn((await sync({})).data)).toEqual(visible);
  const { data } = await sync({ includeDeleted: true });
  const gone = shape.departures.flatMap((_, place) => {
    const id = at(ids.departed, place);
    const seen = decideDocument(actor, "read", departureFacts(shape, ids, place)) === "allow";
    return seen && !visible.includes(id) ? [id] : [];
  });
  expect(idsIn(data.filter((row) => !("tombstone" in row)))).toEqual(visible);
  expect(idsIn(data.filter((row) => "tombstone" in row))).toEqual([...new Set(gone)].sort());
}

async function checkSearch(subject: Subject): Promise<void> {
  const found = await invoke(service, operations.searchDocuments, subject.actor, { query: "marlu", limit: 100 });
  const expected = subject.documents((place) => isListed(subject, place));
  expect(idsIn(found.data.map((hit) => hit.document))).toEqual(expected);
  expect(found.total).toBe(expected.length);
}

/** `allow`, `forbidden` or `hidden`, as a call says it. */
async function outcome(call: Promise<unknown>): Promise<string> {
  try {
    await call;
    return "allow";
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return error.code === "not_found" ? "hidden" : error.code;
  }
}

async function checkRows({ shape, ids, actor }: Subject): Promise<void> {
  for (const [place, id] of ids.documents.entries()) {
    const facts = documentFacts(shape, ids, place);
    const asked = facts.deletedAt === null ? "read" : "readTrash";
    const read = invoke(service, operations.getDocument, actor, { id, deleted: true });
    expect(await outcome(read)).toBe(decideDocument(actor, asked, facts));
    const edit = { id, op: "append", markdown: "More.", dryRun: true };
    const edited = await outcome(invoke(service, operations.editDocument, actor, edit));
    const mayTry = actor.systemAdmin || actor.capabilities.has("document.edit");
    const expected = mayTry ? decideDocument(actor, "edit", facts) : "forbidden";
    // Nobody changes an archived document, whatever the policy says.
    expect(edited === "conflict" && at(shape.documents, place).archived ? expected : edited).toBe(expected);
  }
}

async function checkCollections({ shape, ids, actor }: Subject): Promise<void> {
  for (const archived of [false, true]) {
    const rows = await invoke(service, operations.listCollections, actor, { archived });
    const expected = ids.collections.filter(
      (_, place) => at(shape.collections, place).archived === archived && canSeeCollection(actor, shape, place),
    );
    expect(idsIn(rows)).toEqual(expected.sort());
  }
  for (const [place, id] of ids.collections.entries()) {
    const expected = canSeeCollection(actor, shape, place) ? "allow" : "hidden";
    expect(await outcome(invoke(service, operations.getCollection, actor, { id }))).toBe(expected);
  }
}

async function checkTags(subject: Subject): Promise<void> {
  const { shape, ids, actor, documents } = subject;
  const rows = await invoke(service, operations.listTags, actor, {});
  const expected = ids.tags.flatMap((id, tag) => {
    const carriers = documents((place) => isListed(subject, place) && at(shape.documents, place).tags.includes(tag));
    return knowsTag(actor, shape, ids, tag) ? [{ id, name: tagName(tag), documentCount: carriers.length }] : [];
  });
  const shown = rows.map(({ id, name, documentCount }) => ({ id, name, documentCount }));
  expect(shown.sort((a, b) => (a.id < b.id ? -1 : 1))).toEqual(expected.sort((a, b) => (a.id < b.id ? -1 : 1)));
}

async function checkAssistants(subject: Subject): Promise<void> {
  const { shape, ids, actor, allows, documents } = subject;
  const visible = documents((place) => isListed(subject, place));
  const list = await invoke(service, operations.listDocumentsForAssistants, actor, { limit: 100 });
  const hits = await invoke(service, operations.searchForAssistants, actor, { query: "marlu", limit: 50 });
  for (const rows of [list.documents, hits.results]) {
    expect(idsIn(rows)).toEqual(visible);
    for (const { id, canWrite, collectionName } of rows) {
      const place = ids.documents.indexOf(id);
      expect(canWrite).toBe(allows("edit", place));
      const { collection } = at(shape.documents, place);
      const named = collection !== null && canSeeCollection(actor, shape, collection);
      expect(collectionName).toBe(named ? `Collection ${collection}` : null);
    }
  }
  const { collections } = await invoke(service, operations.listCollectionsForAssistants, actor, { limit: 100 });
  const seen = Array.from({ length: sizes.collections }, (_, place) => place).filter(
    (place) => !at(shape.collections, place).archived && canSeeCollection(actor, shape, place),
  );
  const counted = seen.map((collection) => ({
    id: at(ids.collections, collection),
    documentCount: documents(
      (place) => isListed(subject, place) && at(shape.documents, place).collection === collection,
    ).length,
  }));
  const shown = collections.map(({ id, documentCount }) => ({ id, documentCount }));
  expect(shown.sort((a, b) => (a.id < b.id ? -1 : 1))).toEqual(counted.sort((a, b) => (a.id < b.id ? -1 : 1)));
}
