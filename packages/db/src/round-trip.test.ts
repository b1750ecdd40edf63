import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connect, type Database, sql, withGenericPlan, withMoreMemory } from "./index.ts";
import { type TestDatabase, testDatabase } from "./testing/index.ts";

describe("statements in one round trip", () => {
  let test: TestDatabase;
  let database: Database;
  beforeAll(async () => {
    test = await testDatabase();
    // One connection: what a statement leaves behind on it meets the next one.
    database = connect({ url: test.url, poolMax: 1 });
  });
  afterAll(async () => {
    await database.close();
    await test.drop();
  });

  const one = (value: unknown) => sql`SELECT ${value}::text AS value`;
  const mode = sql`SELECT current_setting('plan_cache_mode') AS value`;
  type Value = { value: unknown };

  it("return the rows of each, in order, however often they run", async () => {
    for (let round = 0; round < 3; round += 1) {
      const [a, b] = await database.rowsOfEach<[Value, Value]>([one(`a${round}`), one(`b${round}`)]);
      expect([a, b]).toEqual([[{ value: `a${round}` }], [{ value: `b${round}` }]]);
    }
  });

  it("keep every value", async () => {
    const values = [null, "", "é'\"\\\u{1f600}", true, 7, 12n, 0.5];
    for (const value of values) {
      expect(await database.rows<Value>(one(value))).toEqual([{ value: value === null ? null : String(value) }]);
    }
    const lists = ["", "NULL", 'a"b', "c\\d", "e,{f}", null];
    expect(await database.rows(sql`SELECT ${lists}::text[] AS value`)).toEqual([{ value: lists }]);
    const bytes = Buffer.from([0, 255, 92]);
    expect(await database.rows(sql`SELECT ${bytes}::bytea AS value, ${{ a: [1] }}::jsonb AS json`)).toEqual([
      { value: bytes, json: { a: [1] } },
    ]);
  });

  it("keep a time of any year to the millisecond", async () => {
    for (const text of ["2030-01-02T03:04:05.678Z", "2030-01-02T03:04:05.000Z", "0099-12-31T23:59:59.999Z"]) {
      expect(await database.rows(sql`SELECT ${new Date(text)}::timestamptz AS value`)).toEqual([
        { value: new Date(text) },
      ]);
    }
    const far = [new Date(Date.UTC(12_345, 0, 1)), new Date(Date.UTC(-43, 2, 15))];
    for (const date of far) {
      const [row] = await database.rows<{ value: Date }>(sql`SELECT ${date}::timestamptz AS value`);
      expect(row?.value).toEqual(date);
    }
  });

  it("a generic plan is of its statement only, outside and inside of a transaction", async () => {
    const generic = withGenericPlan(mode);
    const modes = async (reader: Pick<Database, "rowsOfEach">): Promise<unknown[]> => {
      const each = await reader.rowsOfEach<[Value, Value, Value]>([mode, generic, mode]);
      return each.map(([row]) => row?.value);
    };
    const expected = ["auto", "force_generic_plan", "auto"];
    expect(await modes(database)).toEqual(expected);
    expect(await database.rows(generic)).toEqual([{ value: "force_generic_plan" }]);
    expect(await database.rows(mode)).toEqual([{ value: "auto" }]);
    await database.transaction(async (tx) => {
      expect(await tx.rows(generic)).toEqual([{ value: "force_generic_plan" }]);
      expect(await tx.rows(mode)).toEqual([{ value: "auto" }]);
    });
  });

  it("more memory is 16 MB or what is set if that is more, until the end of the transaction", async () => {
    const memory = sql`SELECT current_setting('work_mem') AS value`;
    await database.execute(sql`SET work_mem = '4MB'`);
    for (let round = 0; round < 2; round += 1) {
      expect(await database.rows(withMoreMemory(memory))).toEqual([{ value: "16MB" }]);
      expect(await database.rows(memory)).toEqual([{ value: "4MB" }]);
    }
    expect(await database.rows(withGenericPlan(withMoreMemory(memory)))).toEqual([{ value: "16MB" }]);
    await database.transaction(async (tx) => {
      await tx.execute(sql`SET LOCAL work_mem = '1GB'`);
      expect(await tx.rows(withMoreMemory(withGenericPlan(memory)))).toEqual([{ value: "1GB" }]);
    });
    // Its first statement is sent with BEGIN, which nothing may precede.
    await database.readTransaction(async (tx) => {
      expect(await tx.rows(withMoreMemory(memory))).toEqual([{ value: "16MB" }]);
    });
    expect(await database.rows(memory)).toEqual([{ value: "4MB" }]);
    await database.execute(sql`RESET work_mem`);
  });

  it("one that fails fails all, and the connection serves on, whether it was prepared or not", async () => {
    const divide = (by: number) => sql`SELECT 1 / ${by}::int AS value`;
    const unknown = sql`SELECT * FROM no_such_table`;
    for (const bad of [divide(0), unknown, divide(0), unknown]) {
      await expect(database.rowsOfEach([one("a"), bad, one("b")])).rejects.toThrow();
      expect(await database.rows(divide(1))).toEqual([{ value: 1 }]);
      expect(await database.rowsOfEach([one("c"), one("d")])).toEqual([[{ value: "c" }], [{ value: "d" }]]);
    }
  });

  it("none of them has an effect where one fails", async () => {
    await database.acrossTeams.execute(sql`CREATE TABLE trips (value int)`);
    const insert = sql`INSERT INTO trips VALUES (1)`;
    await expect(database.acrossTeams.rowsOfEach([insert, sql`SELECT 1 / ${0}::int`])).rejects.toThrow();
    expect(await database.rows(sql`SELECT * FROM trips`)).toEqual([]);
    expect(await database.acrossTeams.execute(sql`INSERT INTO trips VALUES (1), (2)`)).toBe(2);
  });

  it("a statement whose columns have changed in the meantime is never read with the old ones", async () => {
    await database.acrossTeams.execute(sql`CREATE TABLE shapes (a int, b text)`);
    await database.acrossTeams.execute(sql`INSERT INTO shapes VALUES (1, 'x')`);
    const all = sql`SELECT * FROM shapes`;
    expect(await database.rows(all)).toEqual([{ a: 1, b: "x" }]);
    await database.acrossTeams.execute(sql`ALTER TABLE shapes ADD COLUMN c text DEFAULT 'y'`);
    await expect(database.rows(all)).rejects.toThrow("cached plan must not change result type");
    expect(await database.rows(all)).toEqual([{ a: 1, b: "x", c: "y" }]);
  });
});

describe("a look-up with the first statement of a reader", () => {
  let test: TestDatabase;
  const statements: string[] = [];
  beforeAll(async () => {
    test = await testDatabase({ onQuery: (text) => statements.push(text) });
  });
  afterAll(() => test.drop());

  const found = sql`SELECT 'found' AS value`;
  const read = (value: string) => sql`SELECT ${value}::text AS value`;

  it("is sent once, before the statement, and by itself where nothing is read", async () => {
    const joined = test.database.joinLookUp(found);
    statements.length = 0;
    expect(await joined.reader.rows(read("a"))).toEqual([{ value: "a" }]);
    expect(await joined.reader.rows(read("b"))).toEqual([{ value: "b" }]);
    expect(await joined.lookUp()).toEqual([{ value: "found" }]);
    expect(statements).toEqual([found.text, read("a").text, read("b").text]);
    expect(await test.database.joinLookUp(found).lookUp()).toEqual([{ value: "found" }]);
  });

  it("is answered even if the statement fails", async () => {
    const joined = test.database.joinLookUp(found);
    await expect(joined.reader.rows(sql`SELECT 1 / ${0}::int`)).rejects.toThrow();
    expect(await joined.lookUp()).toEqual([{ value: "found" }]);
  });
});
