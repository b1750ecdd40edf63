import type { Person } from "@kb/core/testing";
import { type Reader, raw, type Statement, sql } from "@kb/db";
import { randomOf } from "@kb/live/testing";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Filters } from "../documents/filters.ts";
import { bulkDocuments } from "../testing/bulk-documents.ts";
import { testWorld } from "../testing/test-world.ts";
import { conditionsOf } from "./conditions.ts";
import { type HitPage, readHits } from "./hits.ts";
import { parseQuery, typedWords } from "./parse-query.ts";

let statements: Statement[] = [];
const { test, world } = await testWorld({}, { onQuery: (text, values) => statements.push({ text, values }) });
const { people, collections } = world;

/** The number up to which these searches count, and more documents than that of each word. */
const counted = 300;
const many = 420;
/** The newest documents that a search looks at to find out whether many of them match. */
const sampled = 40;
const limit = 100;

const seed = Number(process.env.KB_FUZZ_SEED ?? Date.now() % 2 ** 31);

const pages = Array.from({ length: many }, (_, n) => `Page ${n + 1}`);

type Asked = Filters & { readonly offset?: number; readonly lang?: string; readonly person?: Person };

async function search(
  query: string,
  { offset = 0, lang, person = people.editor, ...filters }: Asked = {},
  countedUpTo = counted,
): Promise<HitPage> {
  const conditions = conditionsOf(parseQuery(query), { ...typedWords(query), language: lang });
  if (conditions === null) throw new Error("the query has no words");
  return readHits(test.database, person.actor, conditions, { ...filters, limit, offset }, countedUpTo);
}

const titlesOf = async (query: string, asked?: Asked): Promise<(string | null)[]> =>
  (await search(query, asked)).rows.map(({ title }) => title);

/** Returns the sum of the numbers that a pattern finds in the plan of a statement. */
async function sumOf(statement: Statement | undefined, pattern: RegExp): Promise<number> {
  if (statement === undefined) throw new Error("there is no such statement");
  const { text, values } = statement;
  const plan = await test.database.acrossTeams.rows({ text: `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, values });
  return [...JSON.stringify(plan).matchAll(pattern)].reduce((sum, [, number]) => sum + Number(number), 0);
}

/** Returns how many documents a statement looks up one by one. */
const lookUps = (statement: Statement | undefined): Promise<number> =>
  sumOf(statement, /"Index Name":"documents_at_a_glance"[^{}]*"Actual Loops":(\d+)/g);

/** Returns how many documents a statement finds in the index of words. */
const foundByIndex = (statement: Statement | undefined): Promise<number> =>
  sumOf(statement, /"Index Name":"document_bodies_vector_idx"[^{}]*"Actual Rows":(\d+)/g);

const minimum = { total: counted, totalIsMinimum: true };

beforeAll(async () => {
  await bulkDocuments(world, { text: "a kea", titles: pages, minutesAgo: 0 });
  await bulkDocuments(world, { text: "a weka", titles: pages, minutesAgo: 100_000 });
  await bulkDocuments(world, { text: "a kakapo", titles: pages, minutesAgo: 0, collectionId: collections.vault });
  await bulkDocuments(world, { text: "a kea", titles: ["Our kea", "Kea food", "Kea"], minutesAgo: 1_000_000 });
});
beforeEach(() => {
  statements = [];
});

describe("a search with more hits than are counted", () => {
  it("has more memory for each of its statements than usual ones", async () => {
    const memory: Statement["memory"][] = [];
    const reader: Reader = {
      rows: (statement) => {
        memory.push(statement.memory);
        return test.database.rows(statement);
      },
      rowsOfEach: (each) => test.database.rowsOfEach(each),
    };
    const conditions = conditionsOf(parseQuery("kea"), typedWords("kea"));
    if (conditions === null) throw new Error("the query has no words");
    await readHits(reader, people.editor.actor, conditions, { limit, offset: 0 }, counted);
    expect(memory).toEqual(["more", "more"]);
  });

  it("takes its first pages from the newest documents, and shows titles with the words first, however old they are", async () => {
    const first = await search("kea");
    expect(statements).toHaveLength(2);
    expect(first).toMatchObject(minimum);
    expect(first.rows.map(({ title }) => title)).toEqual(["Kea", "Kea food", "Our kea", ...pages.slice(0, limit - 3)]);
    expect(await titlesOf("kea", { offset: limit })).toEqual(pages.slice(limit - 3, 2 * limit - 3));
  });

  it("has every hit on its pages, and the exact total on those that reach the last one that is counted", async () => {
    const all = ["Kea", "Kea food", "Our kea", ...pages];
    for (const offset of [50, 100, 101, 150, 199, 200, 250, 400]) {
      const { total, totalIsMinimum, rows } = await search("kea", { offset });
      expect(rows.map(({ title }) => title)).toEqual(all.slice(offset, offset + limit));
      expect({ total, totalIsMinimum }).toEqual(offset < 200 ? minimum : { total: all.length });
    }
  });

  it("finds the hits of words that only old documents contain, and of phrases and exclusions", async () => {
    expect(await search("weka")).toMatchObject(minimum);
    expect(await titlesOf("weka")).toEqual(pages.slice(0, limit));
    for (const query of ['"kea"', "kea -weka"]) expect(await titlesOf(query)).toEqual(await titlesOf("kea"));
  });

  it("keeps to its filters and to the preferred language", async () => {
    expect(await titlesOf("kea", { collectionId: collections.open })).toEqual(await titlesOf("kea"));
    expect(await search("kea", { collectionId: collections.readable })).toEqual({ total: 0, rows: [] });
    expect(await search("kea", { status: ["draft"] })).toEqual({ total: 0, rows: [] });
    expect(await titlesOf("kea", { lang: "en" })).toEqual(await titlesOf("kea"));
  });

  it("is the same whether or not hidden documents have the words", async () => {
    expect(await search("kakapo")).toEqual({ total: 0, rows: [] });
    expect(await search("kakapo", { person: people.admin })).toMatchObject(minimum);
    const before = await search("weka");
    await test.database.execute(sql`UPDATE document_bodies SET vector = vector || 'weka:4' WHERE "teamId" = ${world.teamId}::uuid
      AND "documentId" IN (SELECT d.id FROM documents d WHERE d."teamId" = ${world.teamId}::uuid AND d."collectionId" = ${collections.vault}::uuid)`);
    expect(await search("weka")).toEqual(before);
    expect(await search("weka", { offset: 250 })).toMatchObject({ total: many });
  });

  it("looks at the newest documents for hits unless few of a sample of them match, wherever these are, and else at the newest matches", async () => {
    const birds = Array.from({ length: 400 }, (_, n) => `Swamp ${n + 1}`);
    await bulkDocuments(world, { text: "a pukeko", titles: birds, minutesAgo: -2_000 });
    await bulkDocuments(world, { text: "no bird", titles: pages.slice(0, 60), minutesAgo: -3_000 });
    for (const [query, isFrequent] of [
      ["pukeko", true],
      ["weka", false],
    ] as const) {
      statements = [];
      expect(await titlesOf(query)).toEqual((isFrequent ? birds : pages).slice(0, limit));
      expect(statements).toHaveLength(2);
      expect((await lookUps(statements[1])) >= 200).toBe(!isFrequent);
    }
    expect(await titlesOf("weka", { offset: limit })).toEqual(pages.slice(limit, 2 * limit));
  });

  it("looks up no match that is older than the last one it ranks", async () => {
    // Up to 2,000 matches, all are looked up.
    const titles = Array.from({ length: 2_100 }, (_, n) => `Old ${n}`);
    await bulkDocuments(world, { text: "a huia", titles, minutesAgo: 400_000 });
    statements = [];
    expect(await titlesOf("huia")).toEqual(titles.slice(0, limit));
    expect(statements).toHaveLength(2);
    const ranked = 200;
    // The documents of the page are looked up in the same index.
    expect(await lookUps(statements[1])).toBe(ranked + limit);
  });

  it("finds the hits of a collection, however many newer ones others have, and reads only a small collection", async () => {
    const titles = Array.from({ length: 1_600 }, (_, n) => `New ${n}`);
    await bulkDocuments(world, { text: "a tieke", titles, minutesAgo: -8_000 });
    await bulkDocuments(world, { text: "a tieke", titles: pages, minutesAgo: 0, collectionId: collections.readable });
    const inCollection = { collectionId: collections.readable };
    statements = [];
    const found = await search("tieke", inCollection);
    expect(found).toMatchObject(minimum);
    expect(found.rows.map(({ title }) => title)).toEqual(pages.slice(0, limit));
    expect(statements).toHaveLength(2);
    statements = [];
    const whole = await search("tieke", inCollection, 10_000);
    expect(whole).toMatchObject({ total: many, rows: found.rows });
    expect(statements).toHaveLength(1);
    expect(await lookUps(statements[0])).toBeLessThanOrEqual(many + limit + sampled);
    expect(await search("tieke", { ...inCollection, person: people.admin, status: ["draft"] })).toEqual({
      total: 0,
      rows: [],
    });
  });

  it("knows in a large team from the words as they are typed that there are many hits, if the caller sees enough of these", async () => {
    const countedHere = 120;
    const typed = pages.slice(0, 250);
    const others = Array.from({ length: 2_500 }, (_, n) => `Other ${n}`);
    await bulkDocuments(world, { text: "a tara", titles: typed, minutesAgo: 500_000 });
    await bulkDocuments(world, { text: "a taranui", titles: others, minutesAgo: 500_000 });
    const enough = { total: countedHere, totalIsMinimum: true };
    statements = [];
    expect(await search("tara", {}, countedHere)).toMatchObject(enough);
    expect(await foundByIndex(statements[0])).toBe(typed.length);
    const seen = 100;
    await bulkDocuments(world, { text: "a titi", titles: typed, minutesAgo: 500_000, collectionId: collections.vault });
    await bulkDocuments(world, { text: "a titi", titles: pages.slice(0, seen), minutesAgo: 500_000 });
    expect(await search("titi", { person: people.admin }, countedHere)).toMatchObject(enough);
    expect(await search("titi", {}, countedHere)).toMatchObject({ total: seen });
  });

  it("needs two statements where fewer hits than it ranks are in the preferred language, and shows these first", async () => {
    const english =
      "the mohua is a small bird that lives in the forests of the south and is known for its yellow head and its loud song";
    await bulkDocuments(world, { text: english, titles: pages, minutesAgo: 200_000 });
    const german =
      "das Mohua ist ein kleiner Vogel, der in den Wäldern des Südens lebt und für seinen gelben Kopf bekannt ist: mohua";
    await bulkDocuments(world, { text: german, titles: ["Vogel 1", "Vogel 2"], minutesAgo: 300_000 });
    statements = [];
    const found = await search("mohua", { lang: "de" });
    expect(statements).toHaveLength(2);
    expect(found).toMatchObject(minimum);
    expect(found.rows.map(({ title }) => title)).toEqual(["Vogel 1", "Vogel 2", ...pages.slice(0, limit - 2)]);
  });

  it("looks only a sample up where 10,000 more documents match than are hidden from the caller, without filters", async () => {
    const titles = Array.from({ length: 1_000 }, (_, n) => `Bird ${n}`);
    await bulkDocuments(world, { text: "a kotuku", titles, minutesAgo: -4_000 });
    statements = [];
    expect(await search("kotuku", { person: people.admin })).toMatchObject(minimum);
    // One more scan of the index may count the trash.
    expect(await lookUps(statements[0])).toBeLessThanOrEqual(sampled + 1);
    statements = [];
    expect(await search("kotuku", { person: people.admin, collectionId: collections.open })).toMatchObject(minimum);
    expect(await lookUps(statements[0])).toBeGreaterThan(counted);
  });

  it("counts only what the caller sees, although others match: they may be hidden, in the trash or archived", async () => {
    // Of 400 matches, 120 are hidden: too few to be sure of more than 300 hits, and enough if one kind of hidden ones were forgotten.
    const seen = 280;
    const others = 60;
    const bulk = (kind: string, count: number, collectionId: string) => {
      const titles = Array.from({ length: count }, (_, n) => `${kind} takahe ${n}`);
      return bulkDocuments(world, { text: "a takahe", titles, minutesAgo: kind === "Seen" ? -6_000 : 0, collectionId });
    };
    await bulk("Seen", seen, collections.open);
    await bulk("Deleted", others, collections.open);
    await bulk("Archived", others, collections.open);
    const ofKind = (kind: string) => sql`"teamId" = ${world.teamId}::uuid AND title LIKE ${`${kind} %`}`;
    await test.database.execute(sql`UPDATE documents SET "deletedAt" = now() WHERE ${ofKind("Deleted")}`);
    await test.database.execute(sql`UPDATE documents SET "archivedAt" = now() WHERE ${ofKind("Archived")}`);
    const exact = { total: seen, totalIsMinimum: undefined };
    for (const person of [people.admin, people.editor]) {
      const { total, totalIsMinimum } = await search("takahe", { person });
      expect({ total, totalIsMinimum }).toEqual(exact);
    }
    expect(await search("takahe", { status: ["archived"] })).toMatchObject({ total: others });
    await bulk("Hidden", others, collections.vault);
    const { total, totalIsMinimum } = await search("takahe");
    expect({ total, totalIsMinimum }).toEqual(exact);
    expect(await search("takahe", { person: people.admin })).toMatchObject(minimum);
  });

  it("has the same pages as a search that counts all hits, whatever the query, the filters and the caller", async () => {
    const random = randomOf(seed);
    // Of fewer hits, a search that finds all ranks all.
    const most = 500;
    let stopped = 0;
    const word = () => random.pick(["kiwi", "moa", "tui"]) ?? "";
    const statuses = [["published"], ["archived"], ["archived", "published"], ["draft", "published"]] as const;
    const prose = ["the bird is here and it sings for us", "der Vogel ist hier und er singt für uns alle", ""];
    for (let n = 0; n < 16; n += 1) {
      const titles = Array.from({ length: 160 }, (_, index) => {
        const shape = random.below(12);
        return [`${word()} ${word()}`, word(), `On ${word()}`][shape] ?? `Bird ${n}.${index}`;
      });
      await bulkDocuments(world, {
        text: `${word()} ${word()} kiwi ${random.pick(prose)}`,
        titles,
        collectionId: random.pick([collections.open, collections.open, collections.readable, collections.vault]) ?? "",
        // The documents of many batches share a time.
        minutesAgo: random.below(3) * 50 - 10_000,
      });
      const past = random.pick([null, null, null, null, null, raw('"deletedAt"'), raw('"archivedAt"')]) ?? null;
      if (past === null) continue;
      await test.database.execute(sql`UPDATE documents SET ${past} = now()
        WHERE "teamId" = ${world.teamId}::uuid AND title LIKE ${`Bird ${n}.%`}`);
    }
    const restrictions = { collections: { [collections.open]: "read", [collections.vault]: "read" } } as const;
    const narrow = await world.actorOf(await world.key(people.admin, ["read"], { restrictions }));
    const callers = [people.admin, people.editor, people.viewer, { ...people.admin, actor: narrow }];
    for (let n = 0; n < 40; n += 1) {
      const query = random.pick(["kiwi", "ki", "kiwi moa", '"moa kiwi"', "kiwi -tui", '"kiwi"', "on kiwi", "b"]) ?? "";
      const asked: Asked = {
        offset: random.pick([0, 0, 60, 100, 150]) ?? 0,
        ...(random.chance(0.4) && { lang: random.pick(["en", "de"]) ?? "en" }),
        ...(random.chance(0.3) && { collectionId: random.pick([collections.open, collections.readable]) ?? "" }),
        ...(random.chance(0.25) && { status: random.pick(statuses) ?? [] }),
        person: random.pick(callers) ?? people.editor,
      };
      const before = statements.length;
      const page = await search(query, asked, most);
      if (statements.length > before + 1) stopped += 1;
      const whole = await search(query, asked, 1_000_000);
      const context = `KB_FUZZ_SEED=${seed}, ${query}, ${JSON.stringify({ ...asked, person: asked.person?.actor })}`;
      expect(page.rows, context).toEqual(whole.rows);
      const total = whole.total <= most ? { total: whole.total } : { total: most, totalIsMinimum: true };
      expect({ ...page, rows: [] }, context).toEqual({ ...total, rows: [] });
    }
    expect(stopped).toBeGreaterThan(0);
  }, 120_000);
});
