import { authenticateChannelToken, type Caller } from "@kb/auth";
import { ChangeFeed, invoke, LiveFeed, type Service } from "@kb/core";
import {
  authenticateCredential,
  type Column,
  type Credential,
  cells,
  createWorld,
  operationCases,
  operationNamed,
  setScene,
} from "@kb/core/testing";
import { type TestDatabase, testDatabase } from "@kb/db/testing";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Sent } from "./explain.ts";
import { reasonsForManyShards, rulesAcrossTeams, type TeamTables, teamTables } from "./one-shard.ts";
import { readsNoTable, rulesWithReason, statementsWithReason } from "./shard-exceptions.ts";

const team = "b0000000-0000-4000-8000-000000000000";
const otherTeam = "b1";
const id = "c0";
const sent: Sent[] = [];
let test: TestDatabase;
let client: pg.Client;
let tables: TeamTables;

beforeAll(async () => {
  test = await testDatabase({ onQuery: (text, values) => sent.push({ text, values }) });
  client = new pg.Client({ connectionString: test.url });
  await client.connect();
  tables = await teamTables(client);
});
afterAll(async () => {
  await client.end();
  await test.drop();
});

const reasons = (text: string, values: readonly unknown[] = [team, id, team]): Promise<string[]> =>
  reasonsForManyShards(client, { text, values }, tables);

describe("a statement goes to one shard", () => {
  it.each([
    ["by a value", `SELECT 1 FROM documents WHERE "teamId" = $1::uuid`],
    ["by a literal", `SELECT 1 FROM documents WHERE "teamId" = '${team}'`],
    [
      "by a join",
      `SELECT 1 FROM documents d JOIN collections c ON c."teamId" = d."teamId" AND c.id = d."collectionId"
        WHERE d."teamId" = $1::uuid`,
    ],
    [
      "by an outer join",
      `SELECT 1 FROM documents d LEFT JOIN users u ON u."teamId" = d."teamId" AND u.id = d."createdById"
        WHERE d."teamId" = $1::uuid`,
    ],
    [
      "by a subquery of each row",
      `SELECT (SELECT count(*) FROM document_tags t WHERE t."teamId" = d."teamId" AND t."documentId" = d.id)
        FROM documents d WHERE d."teamId" = $1::uuid`,
    ],
    [
      "by every branch of an OR",
      `SELECT 1 FROM documents WHERE ("teamId" = $1::uuid AND id = $2::uuid)
        OR ("teamId" = $1::uuid AND title = 'a OR "b')`,
    ],
    [
      "by the same team twice",
      `SELECT 1 FROM documents d, users u WHERE d."teamId" = $1::uuid AND u."teamId" = $3::uuid`,
    ],
    ["when it changes rows", `UPDATE documents SET title = 'x' WHERE "teamId" = $1::uuid AND id = $2::uuid`],
    ["when it deletes rows", `DELETE FROM document_tags WHERE "teamId" = $1::uuid`],
    ["when it inserts one", `INSERT INTO tombstones ("teamId", id, "documentId", at) VALUES ($1, $2, $2, now())`],
    [
      "when it inserts several",
      `INSERT INTO tombstones ("teamId", id, "documentId", at)
        VALUES ($1, $2, $2, now()), ($3, $2, $2, now())`,
    ],
    [
      "when it inserts what it selects",
      `INSERT INTO tombstones ("teamId", id, "documentId", at)
        SELECT "teamId", id, id, now() FROM documents WHERE "teamId" = $1::uuid`,
    ],
    ["without a table of teams", "SELECT 1 FROM login_failures"],
  ])("%s", async (_, text) => {
    expect(await reasons(text)).toEqual([]);
  });
});

describe("a statement needs many shards", () => {
  it.each([
    ["without the team", `SELECT 1 FROM documents WHERE id = $1::uuid`],
    ["with a list of teams", `SELECT 1 FROM documents WHERE "teamId" = ANY ($1::uuid[])`],
    ["with the team in one branch of an OR", `SELECT 1 FROM documents WHERE "teamId" = $1::uuid OR id = $2::uuid`],
    ["with another comparison", `SELECT 1 FROM documents WHERE "teamId" >= $1::uuid`],
    ["with the negation", `SELECT 1 FROM documents WHERE NOT ("teamId" = $1::uuid)`],
    ["with the team in a text", `SELECT 1 FROM documents WHERE title = ' AND ("teamId" = $1) AND '`],
    [
      "with a join that leaves the team out",
      `SELECT 1 FROM documents d JOIN users u ON u.id = d."createdById"
        WHERE d."teamId" = $1::uuid`,
    ],
    ["with a change of every team", `UPDATE documents SET title = 'x' WHERE id = $1::uuid`],
    [
      "with what it inserts",
      `INSERT INTO tombstones ("teamId", id, "documentId", at)
        SELECT "teamId", id, id, now() FROM documents WHERE id = $1::uuid`,
    ],
  ])("%s", async (_, text) => {
    expect(await reasons(text)).not.toEqual([]);
  });

  it("with two teams, one of them in a row that it inserts", async () => {
    const two = `SELECT 1 FROM documents d, users u WHERE d."teamId" = $1::uuid AND u."teamId" = $3::uuid`;
    expect(await reasons(two, [team, id, otherTeam])).toEqual(["2 teams"]);
    const rows = `INSERT INTO tombstones ("teamId", id, "documentId", at) VALUES ($1, $2, $2, now()), ($3, $2, $2, now())`;
    expect(await reasons(rows, [team, id, otherTeam])).toEqual(["2 teams"]);
  });
});

/** Finds the caller of a credential, the reader of a channel included. */
async function authenticate({ database, clock, ...rest }: Service, credential: Credential): Promise<Caller> {
  const reader =
    typeof credential === "string" ? await authenticateChannelToken(database, credential, clock.now()) : null;
  const caller = reader ?? (await authenticateCredential({ database, clock, ...rest }, credential));
  if (caller === null) throw new Error("the credential is not valid");
  return caller;
}

const likelyCallers: readonly Column[] = ["adminSession", "editorSession", "channelToken"];

/** Runs every operation, and returns the statements of each. */
async function statementsOfOperations(): Promise<{ operation: string; statement: Sent }[]> {
  const world = await createWorld(test.database);
  const scene = await setScene(world);
  const { database } = test;
  const service = { ...world.service, changes: new ChangeFeed({ database }), live: new LiveFeed({ database }) };
  const found: { operation: string; statement: Sent }[] = [];
  for (const [operation, { input }] of operationCases) {
    const column = likelyCallers.find((one) => cells.get(operation)?.[one] === "allowed");
    if (column === undefined) throw new Error(`nobody may do ${operation}`);
    const given = await input(scene);
    const caller = await authenticate(service, await scene.credential(column));
    sent.length = 0;
    await invoke(service, operationNamed(operation), caller, given);
    found.push(...sent.map((statement) => ({ operation, statement })));
    await scene.archiveCollection(false);
  }
  return found;
}

it("every statement of every operation goes to one shard of Citus, but for those with a reason", {
  timeout: 240_000,
}, async () => {
  const statements = (await statementsOfOperations()).filter(({ statement: { text } }) => !readsNoTable(text));
  const needs: string[] = [];
  const used = new Set<string>();
  const seen = new Set<string>();
  for (const { operation, statement } of statements) {
    const text = statement.text.replaceAll(/\s+/g, " ").trim();
    if (seen.has(text)) continue;
    seen.add(text);
    const found = await reasons(statement.text, statement.values);
    if (found.length === 0) continue;
    const known = statementsWithReason.find(({ pattern }) => pattern.test(text));
    if (known === undefined) needs.push(`${operation} ${found.join(", ")}: ${text}`);
    else used.add(known.why);
  }
  expect(needs).toEqual([]);
  expect(statementsWithReason.map(({ why }) => why).filter((why) => !used.has(why))).toEqual([]);
  expect(seen.size).toBeGreaterThan(300);
  console.log(
    `${seen.size} statements of ${operationCases.size} operations; ${used.size} kinds need more than one shard`,
  );
});

it("every unique index and every reference of a table of teams contains the team, but for those with a reason", async () => {
  expect(tables.size).toBeGreaterThan(50);
  expect(await rulesAcrossTeams(client)).toEqual(Object.keys(rulesWithReason).sort());
});
