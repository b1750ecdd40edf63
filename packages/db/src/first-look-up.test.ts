import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connect, type Database } from "./database.ts";
import { newId } from "./ids.ts";
import { lastStatement } from "./last-statement.ts";
import { sql } from "./sql.ts";
import { type TestDatabase, testDatabase } from "./testing/index.ts";
import type { Tx } from "./transaction.ts";

let test: TestDatabase;
/** A database with one connection, so that a connection that is not released stops the next test. */
let single: Database;
const sent: string[] = [];
beforeAll(async () => {
  test = await testDatabase();
  const onQuery = (text: string, _values: readonly unknown[], beginsTrip: boolean) =>
    void sent.push(`${beginsTrip ? "*" : "+"} ${text.slice(0, 6)}`);
  single = connect({ url: test.url, poolMax: 1, onQuery });
});
afterAll(async () => {
  await single.close();
  await test.drop();
});

const insertTeam = (id: string) => sql`INSERT INTO teams (id, name) VALUES (${id}::uuid, 'Team')`;
const exists = async (id: string): Promise<boolean> =>
  (await single.rows(sql`SELECT 1 FROM teams WHERE id = ${id}::uuid`)).length === 1;
const statement = sql`VALUES (7)`;

/** The ways in which a transaction may send its first statement. */
const ways: Record<string, (tx: Tx, id: string) => Promise<unknown>> = {
  "a statement": (tx, id) => tx.execute(insertTeam(id)),
  "a statement that waits for the next": async (tx, id) => tx.executeWithNext(insertTeam(id)),
  "its last statement": async (_, id) => lastStatement(insertTeam(id), () => undefined),
  "a query of a model": (tx, id) => tx.team.create({ data: { id, name: "Team" } }),
};

describe.each(Object.entries(ways))("the look-up of a transaction that begins with %s", (_, run) => {
  it("is sent with BEGIN, before anything is committed, and its rows are checked once", async () => {
    const id = newId();
    const checked: unknown[] = [];
    sent.length = 0;
    await single.transaction((tx) => run(tx, id), { lookUp: { statement, check: (rows) => checked.push(...rows) } });
    expect(sent.slice(0, 2)).toEqual(["* BEGIN", "+ VALUES"]);
    expect(checked).toEqual([{ column1: 7 }]);
    expect(await exists(id)).toBe(true);
  });

  it("rolls everything back if its rows are refused", async () => {
    const id = newId();
    const refuse = (): never => {
      throw new Error("refused");
    };
    const work = single.transaction((tx) => run(tx, id), { lookUp: { statement, check: refuse } });
    await expect(work).rejects.toThrow("refused");
    expect(await exists(id)).toBe(false);
  });
});

it("a transaction that sends nothing looks nothing up", async () => {
  sent.length = 0;
  await single.transaction(async () => {}, { lookUp: { statement, check: () => {} } });
  expect(sent).toEqual([]);
});
