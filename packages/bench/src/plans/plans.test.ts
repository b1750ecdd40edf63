import type { Service } from "@kb/core";
import { operationCases, operationNamed } from "@kb/core/testing";
import { connect, type Database } from "@kb/db";
import { testDatabase } from "@kb/db/testing";
import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { makeDataSet } from "../data/make.ts";
import { openStore } from "../data/open.ts";
import { fillSource } from "../data/source.ts";
import { prepareSubjects, type Subjects } from "../scale/subjects.ts";
import { type Callers, type Case, callersOf, casesOf } from "./cases.ts";
import { type Planning, type Sent, type TableRead, tableReads } from "./explain.ts";
import { reasonsForManyShards, teamTables } from "./one-shard.ts";
import { readsNoTable, statementsWithReason } from "./shard-exceptions.ts";

// Explains every statement of a list or a search as it ran, on a team of `count` documents. The long run is
// KB_PLAN_DOCUMENTS=1000000 npx vitest run packages/bench/src/plans/plans.test.ts (keeps its data set in KB_BENCH_DATA).

const small = 20_000;
const count = Number(process.env.KB_PLAN_DOCUMENTS ?? small);

/**
 * Tables that grow with the content, which no statement may scan completely. `users` is not one of them: it is small, and
 * the search for a part of a name scans it.
 */
const growing = new Set([
  "documents",
  "document_bodies",
  "document_tags",
  "document_title_words",
  "document_links",
  "document_views",
  "document_stars",
  "document_revisions",
  "revision_bodies",
  "tombstones",
  "search_terms",
  "audit_entries",
  "events",
  "webhook_deliveries",
  "attachments",
]);
/** The number of rows up to which a sequential scan is faster than an index. */
const fewRows = 500;

let url: string;
let close: () => Promise<void>;
let subjects: Subjects;
let client: pg.Client;
let database: Database;
let callers: Callers;
const sent: Sent[] = [];
/** The statements that were explained, by their text. */
const explained = new Map<string, Sent>();

beforeAll(async () => {
  ({ url, close } = count === small ? await createSmallDataSet() : await openKeptDataSet());
  subjects = await prepareSubjects(url, count);
  client = new pg.Client({ connectionString: url });
  await client.connect();
  database = connect({ url, statementTimeoutMs: 120_000, onQuery: (text, values) => sent.push({ text, values }) });
  callers = await callersOf(database, subjects);
}, 3_600_000);

afterAll(async () => {
  await database.close();
  await client.end();
  await close();
});

async function createSmallDataSet(): Promise<{ url: string; close: () => Promise<void> }> {
  const test = await testDatabase();
  await fillSource(test.url, { characters: 300, texts: 100 });
  await makeDataSet(test.url, count, () => {});
  return { url: test.url, close: test.drop };
}

async function openKeptDataSet(): Promise<{ url: string; close: () => Promise<void> }> {
  const store = await openStore();
  const data = await store.open(count, { characters: 1_200 });
  return { url: data.url, close: store.stop };
}

/** Runs a case. Returns its statements, and the number of rows that the response shows and counts. */
async function statementsOf({ call }: Case): Promise<{ statements: Sent[]; shown: number; total: number }> {
  const service: Service = { database, clock: { now: () => new Date() }, appUrl: "http://localhost:3000" };
  sent.length = 0;
  const answer = await call(service);
  const read = (name: string): unknown =>
    typeof answer === "object" && answer !== null ? Reflect.get(answer, name) : undefined;
  const rows = [answer, read("data"), read("documents"), read("results")].find(Array.isArray);
  const total = read("total");
  const statements = sent.filter(({ text }) => !/^(BEGIN|COMMIT|ROLLBACK|SET )/i.test(text.trim()));
  return { statements: [...statements], shown: rows?.length ?? 1, total: typeof total === "number" ? total : 0 };
}

async function problemsOf(checked: Case, planning: Planning): Promise<string[]> {
  const { statements, shown, total } = await statementsOf(checked);
  const reads: TableRead[] = [];
  for (const statement of statements) {
    reads.push(...(await tableReads(client, statement, planning)));
    explained.set(statement.text.replaceAll(/\s+/g, " ").trim(), statement);
  }
  const ofGrowing = reads.filter(({ table }) => growing.has(table));
  const all = ofGrowing.reduce((sum, { rows }) => sum + rows, 0);
  const name = `${checked.operation} ${JSON.stringify(checked.input)}, ${planning}`;
  const from = (what: readonly TableRead[]): string =>
    what.map(({ table, how, rows }) => `${how} of ${rows} ${table}`).join(", ");
  const whole = ofGrowing.filter(({ how, rows }) => how === "Seq Scan" && rows > fewRows);
  const allowed = checked.reads(shown, total);
  return [
    ...whole.map((read) => `${name}: ${from([read])}`),
    ...(all > allowed
      ? [`${name}: ${all} rows for ${shown} shown of ${total} (${allowed} allowed): ${from(ofGrowing)}`]
      : []),
  ];
}

it("every list and every search goes by an index, and reads little more than it shows", async () => {
  const problems: string[] = [];
  for (const checked of casesOf(subjects, callers)) {
    for (const planning of ["force_custom_plan", "force_generic_plan"] as const) {
      problems.push(...(await problemsOf(checked, planning)));
    }
  }
  expect(problems.join("\n")).toBe("");
}, 3_600_000);

it("every statement of every list and every search goes to one shard of Citus, but for those with a reason", async () => {
  const tables = await teamTables(client);
  const needs: string[] = [];
  for (const [text, statement] of explained) {
    if (readsNoTable(text) || statementsWithReason.some(({ pattern }) => pattern.test(text))) continue;
    const reasons = await reasonsForManyShards(client, statement, tables);
    if (reasons.length > 0) needs.push(`${reasons.join(", ")}: ${text}`);
  }
  expect(explained.size).toBeGreaterThan(100);
  expect(needs).toEqual([]);
});

it("every operation that reads has plans, or the reason why it has none", () => {
  const missing = [...operationCases.values()]
    .filter(({ operation }) => !operationNamed(operation).changes)
    .filter(({ plans, withoutPlans }) => plans === undefined && withoutPlans === undefined)
    .map(({ operation }) => `${operation} has no plans: add them to its case file in packages/core/src`);
  expect(missing).toEqual([]);
});

it("the rows of a data set refer to each other as the database asks it of any", async () => {
  const { rows } = await client.query<{ table: string; name: string; definition: string }>(
    `SELECT c.relname AS "table", k.conname AS name, pg_get_constraintdef(k.oid) AS definition FROM pg_constraint k
      JOIN pg_class c ON c.oid = k.conrelid WHERE k.contype = 'f' AND c.relnamespace = 'public'::regnamespace`,
  );
  await client.query("BEGIN");
  for (const { table, name, definition } of rows) {
    await client.query(`ALTER TABLE "${table}" DROP CONSTRAINT "${name}", ADD CONSTRAINT "${name}" ${definition}`);
  }
  await client.query("ROLLBACK");
  expect(rows.length).toBeGreaterThan(40);
}, 600_000);
