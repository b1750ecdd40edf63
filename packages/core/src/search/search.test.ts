import { callerOf, createWorld, type Person, type World } from "@kb/core/testing";
import { newId, type Sql, sql } from "@kb/db";
import { type TestDatabase, testDatabase } from "@kb/db/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ServiceError } from "../errors.ts";
import { invoke } from "../invoke.ts";
import * as operations from "../operations.ts";
import { bulkDocuments } from "../testing/bulk-documents.ts";

let store: TestDatabase;
let world: World;
let statements: string[] = [];

beforeAll(async () => {
  store = await testDatabase({ onQuery: (text) => statements.push(text) });
  world = await createWorld(store.database);
});
afterAll(() => store?.drop());

const search = (person: Person, query: string, more: object = {}) =>
  invoke(world.service, operations.searchDocuments, person.actor, { query, ...more });
const titles = async (person: Person, query: string, more: object = {}): Promise<string[]> =>
  (await search(person, query, more)).data.map((hit) => hit.document.title);
const create = (person: Person, input: object) =>
  invoke(world.service, operations.createDocument, person.actor, {
    collectionId: world.collections.open,
    publish: true,
    ...input,
  });

describe("what the caller may not read does not exist", () => {
  test("a hidden document changes neither hits nor total", async () => {
    const { admin, viewer, outsider } = world.people;
    expect(await search(viewer, "zebra")).toEqual(await search(viewer, "unknownword"));
    expect(await titles(admin, "zebra")).toEqual(["Secret"]);
    expect((await search(outsider, "zebra")).total).toBe(0);
    await create(admin, { title: "Zoo", text: "A zebra for everybody." });
    expect(await search(viewer, "zebra")).toMatchObject({ total: 1, data: [{ document: { title: "Zoo" } }] });
  });

  test("a draft is found by its author and by those who may edit there", async () => {
    const { admin, editor, member, viewer } = world.people;
    expect(await titles(member, "unfinished")).toEqual(["Draft of the member"]);
    expect(await titles(editor, "unfinished")).toEqual(["Draft of the member"]);
    expect(await titles(viewer, "unfinished")).toEqual([]);
    expect(await titles(admin, "unsaid")).toEqual(["Draft of the admin"]);
    expect(await titles(member, "unsaid")).toEqual([]);
  });

  test("a page is full when enough visible hits exist, whatever is hidden between them", async () => {
    const { admin, viewer } = world.people;
    for (let number = 0; number < 12; number += 1) {
      await create(admin, { title: `Open ${number}`, text: "okapi" });
      await create(admin, { title: `Vaulted ${number}`, text: "okapi okapi", collectionId: world.collections.vault });
    }
    const page = await search(viewer, "okapi", { limit: 10 });
    expect(page).toMatchObject({ total: 12, limit: 10, offset: 0 });
    expect(page.data).toHaveLength(10);
    expect(page.data.every((hit) => hit.document.title.startsWith("Open"))).toBe(true);
    expect((await search(viewer, "okapi", { limit: 10, offset: 10 })).data).toHaveLength(2);
    expect(await search(viewer, "okapi", { offset: 100 })).toMatchObject({ total: 12, data: [] });
  });

  test("a restricted key finds only what it lists", async () => {
    const { admin } = world.people;
    const restrictions = { collections: { [world.collections.vault]: "read" as const } };
    const actor = await world.actorOf(await world.key(admin, ["read"], { restrictions }));
    const narrowed = { ...admin, actor };
    expect(await titles(narrowed, "zebra")).toEqual(["Secret"]);
    expect(await titles(narrowed, "guide")).toEqual([]);
  });

  test("words of hidden documents give nothing away when a query has a slip", async () => {
    const { admin, viewer } = world.people;
    await create(admin, { title: "Plan", text: "Project Chameleon", collectionId: world.collections.vault });
    expect(await titles(admin, "chamelon")).toEqual(["Plan"]);
    expect(await search(viewer, "chamelon")).toEqual(await search(viewer, "chameleon"));
    expect(await search(viewer, "chamelon")).toMatchObject({ total: 0, data: [] });
    await create(admin, { title: "Zoo", text: "The chamelion house" });
    expect(await titles(viewer, "chameleon")).toEqual(["Zoo"]);
  });

  test("without the capability, or with a key that only writes, there is no search", async () => {
    const { admin } = world.people;
    const actor = await world.actorOf(await world.key(admin, ["write"]));
    await expect(search({ ...admin, actor }, "guide")).rejects.toMatchObject({ code: "insufficient_scope" });
  });
});

describe("tags", () => {
  test("a document is found by its tags, but not by a restricted one", async () => {
    const { admin, viewer } = world.people;
    await create(admin, { title: "Tagged", text: "Nothing else.", tags: ["Überblick"] });
    expect(await titles(viewer, "uberblick")).toEqual(["Tagged"]);
    expect(await titles(viewer, "hidden")).toEqual([]);
    expect(await titles(admin, "hidden")).toEqual([]);
  });

  test("the filter asks for all tags, in any case, and a tag that the caller may not see matches nothing", async () => {
    const { admin, viewer } = world.people;
    await create(admin, { title: "Second guide", text: "More.", tags: ["Guide", "extra"] });
    expect((await titles(viewer, "guide", { tag: ["GUIDE"] })).sort()).toEqual(["Guide", "Second guide"]);
    expect(await titles(viewer, "guide", { tag: ["guide", "extra"] })).toEqual(["Second guide"]);
    expect(await titles(viewer, "guide", { tags: "guide,Extra" })).toEqual(["Second guide"]);
    expect(await titles(viewer, "guide", { tag: ["hidden"] })).toEqual([]);
    expect(await titles(admin, "guide", { tag: ["hidden"] })).toEqual(["Guide"]);
  });
});

describe("the state of a document", () => {
  test("trashed documents are never found, archived ones when they are asked for", async () => {
    const { admin } = world.people;
    expect(await titles(admin, "gone")).toEqual([]);
    expect(await titles(admin, "filed")).toEqual([]);
    expect(await titles(admin, "filed", { status: ["archived"] })).toEqual(["Archived"]);
    expect(await titles(admin, "gone", { status: ["archived", "draft", "published"] })).toEqual([]);
  });

  test("drafts, published documents and one collection can be searched separately", async () => {
    const { admin } = world.people;
    await create(admin, { title: "Told", text: "unsaid no more" });
    expect((await titles(admin, "unsaid")).sort()).toEqual(["Draft of the admin", "Told"]);
    expect(await titles(admin, "unsaid", { status: ["draft"] })).toEqual(["Draft of the admin"]);
    expect(await titles(admin, "unsaid", { status: ["published"] })).toEqual(["Told"]);
    expect(await titles(admin, "unsaid", { collectionId: world.collections.readable })).toEqual(["Draft of the admin"]);
    expect(await titles(admin, "unsaid", { collectionId: newId() })).toEqual([]);
  });

  test("a change of title, text or tags is found at once, and what it replaced no longer", async () => {
    const { admin } = world.people;
    const { id } = await create(admin, { title: "Before", text: "old words", tags: ["first"] });
    const update = (change: object) => invoke(world.service, operations.updateDocument, admin.actor, { id, ...change });
    await update({ title: "Afterwards" });
    expect(await titles(admin, "before")).toEqual([]);
    expect(await titles(admin, "afterwards old first")).toEqual(["Afterwards"]);
    await update({ text: "new words", tags: ["second"] });
    expect(await titles(admin, "afterwards old")).toEqual([]);
    expect(await titles(admin, "afterwards new second")).toEqual(["Afterwards"]);
  });
});

describe("the order of hits", () => {
  test("title counts most, then tags, headings and text; the word itself before what it begins", async () => {
    const { admin } = world.people;
    const filler = "Some words that stand in every one of them.";
    await create(admin, { title: "E", text: `${filler}\n\ntapirs` });
    await create(admin, { title: "D", text: `${filler}\n\ntapir` });
    await create(admin, { title: "C", text: `# Tapir\n\n${filler}` });
    await create(admin, { title: "B", text: filler, tags: ["tapir"] });
    await create(admin, { title: "A tapir", text: filler });
    const { data } = await search(admin, "tapir");
    expect(data.map((hit) => hit.document.title)).toEqual(["A tapir", "B", "C", "D", "E"]);
    const scores = data.map((hit) => hit.score);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
  });

  test("equal hits come newest change first", async () => {
    const { admin } = world.people;
    for (const title of ["One", "Two", "Three"]) await create(admin, { title, text: "quokka" });
    expect(await titles(admin, "quokka")).toEqual(["Three", "Two", "One"]);
  });

  test("thousands of hits have an exact total, and their pages hold each of them once", async () => {
    const { admin, viewer } = world.people;
    await bulk("giraffe", 5_500, (number) => (number % 1_000 === 7 ? "Giraffe in the title" : `Number ${number}`));
    const first = await search(viewer, "giraffe");
    expect(first.total).toBe(5_500);
    expect(first.data.slice(0, 6).every((hit) => hit.document.title === "Giraffe in the title")).toBe(true);
    const seen = new Set<string>();
    for (let offset = 350; offset < 650; offset += 100) {
      for (const hit of (await search(admin, "giraffe", { limit: 100, offset })).data) seen.add(hit.document.id);
    }
    expect(seen.size).toBe(300);
    expect((await search(viewer, "giraffe", { limit: 100, offset: 5_450 })).data).toHaveLength(50);
  });

  test("of more than 10,000 hits, the total is 10,000 and said to be a minimum, for the app and assistants too", async () => {
    const { admin } = world.people;
    await bulk("gazelle", 10_001, (number) => `Number ${number}`);
    const minimum = { total: 10_000, totalIsMinimum: true };
    expect(await search(admin, "gazelle")).toMatchObject(minimum);
    const asked = { query: "gazelle" };
    expect(await invoke(world.service, operations.searchForAssistants, admin.actor, asked)).toMatchObject(minimum);
    const app = callerOf(world, await world.session(admin));
    expect(await app.run(operations.searchInApp, asked)).toMatchObject(minimum);
  });

  test("of thousands of hits, each caller finds those that they may see, with and without filters", async () => {
    const { teamId, collections, people } = world;
    await bulk("wombat", 2_000, (number) => `${number}`);
    const change = (rest: number, set: Sql) =>
      store.database.execute(sql`UPDATE documents SET ${set}
        WHERE "teamId" = ${teamId}::uuid AND title ~ '^[0-9]+$' AND title::int % 10 = ${rest}::int`);
    await change(0, sql`"publishedAt" = NULL, "collectionId" = ${collections.readable}::uuid`);
    await change(1, sql`"archivedAt" = now()`);
    await change(2, sql`"deletedAt" = now()`);
    await change(3, sql`"collectionId" = ${collections.vault}::uuid`);
    const totalFor = async (person: Person, filters: object = {}) => (await search(person, "wombat", filters)).total;
    expect(await totalFor(people.admin)).toBe(1_600);
    expect(await totalFor(people.viewer)).toBe(1_200);
    expect(await totalFor(people.viewer, { status: ["archived"] })).toBe(200);
    expect(await totalFor(people.viewer, { collectionId: collections.open })).toBe(1_200);
    expect(await totalFor(people.viewer, { collectionId: collections.vault })).toBe(0);
  });

  test("1 statement for a query that finds something, whether 1 hit or 100; 3 for one with a slip; 2 for nothing", async () => {
    const { admin } = world.people;
    await bulk("pangolin", 100, (number) => `Number ${number}`);
    await create(admin, { title: "Pond", text: "One axolotl." });
    const spent = async (query: string, hits: number): Promise<number> => {
      statements = [];
      expect((await search(admin, query, { limit: 100 })).data).toHaveLength(hits);
      return statements.length;
    };
    expect(await spent("axolotl", 1)).toBe(1);
    expect(await spent("pangolin", 100)).toBe(1);
    expect(await spent("axoltl", 1)).toBe(3);
    expect(await spent("nosuchword", 0)).toBe(2);
  });
});

describe("input", () => {
  test.each([
    ["an empty query", { query: "" }, "query"],
    ["white space alone", { query: " \n" }, "query"],
    ["more than 500 characters", { query: "x".repeat(501) }, "query"],
    ["a control character", { query: "a\u0000b" }, "query"],
    ["limit 0", { query: "a", limit: 0 }, "limit"],
    ["limit 101", { query: "a", limit: 101 }, "limit"],
    ["a negative offset", { query: "a", offset: -1 }, "offset"],
    ["an unknown status", { query: "a", status: ["trashed"] }, "status.0"],
    ["an unknown parameter", { query: "a", sort: "title" }, "sort"],
  ])("%s is a validation error that names its place", async (_, input, path) => {
    const error = await invoke(world.service, operations.searchDocuments, world.people.admin.actor, input).then(
      () => null,
      (thrown: ServiceError) => thrown,
    );
    expect(error).toMatchObject({ code: "validation_error", details: [{ path }] });
  });
});

/** Published documents of the open collection about one thing, written by one statement each table. */
const bulk = (text: string, count: number, title: (number: number) => string): Promise<void> =>
  bulkDocuments(world, { text, titles: Array.from({ length: count }, (_, number) => title(number)) });
