import { type TestDatabase, testDatabase } from "@kb/db/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connect } from "./database.ts";
import { isForeignKeyViolation, isUniqueViolation, sqlState } from "./errors.ts";
import { newId } from "./ids.ts";
import { sql } from "./sql.ts";
import type { Tx } from "./transaction.ts";

describe("the database", () => {
  let test: TestDatabase;
  const statements: string[] = [];

  beforeAll(async () => {
    test = await testDatabase({ onQuery: (text) => statements.push(text) });
  });
  afterAll(() => test.drop());

  const newTeam = async (): Promise<string> => {
    const id = newId();
    await test.database.client.team.create({ data: { id, name: "Team" } });
    return id;
  };

  it("reads arrays of texts and ids with any letters, empty ones, NULL and its name", async () => {
    const arrays = [
      ["plain", "words"],
      [],
      ["NULL", "null", null, ""],
      ["a,b", 'a"b', "a\\b", "{a}", " a "],
      ["é", "依赖"],
      [null],
    ];
    const rows = await test.database.rows(
      sql`SELECT ${arrays[0]}::text[] AS a, ${arrays[1]}::text[] AS b, ${arrays[2]}::text[] AS c, ${arrays[3]}::varchar[] AS d,
        ${arrays[4]}::text[] AS e, ${arrays[5]}::text[] AS f`,
    );
    expect(Object.values(rows[0] ?? {})).toEqual(arrays);
    const ids = [newId(), newId()];
    expect(await test.database.rows(sql`SELECT ${ids}::uuid[] AS ids, ARRAY[['a','b'],['c',NULL]] AS nested`)).toEqual([
      {
        ids,
        nested: [
          ["a", "b"],
          ["c", null],
        ],
      },
    ]);
  });

  it("reads int8 as a number where it is safe, timestamptz as a Date, jsonb as its value, bytea as bytes", async () => {
    const at = new Date("2026-03-29T01:30:00.123Z");
    const [row] = await test.database.rows(sql`
      SELECT 7::int8 AS small, 9007199254740993::int8 AS large, ${at}::timestamptz AS at,
        ${JSON.stringify([{ a: 1 }])}::jsonb AS json, '\\x00ff'::bytea AS bytes, NULL AS nothing, ${["a", "b"]}::text[] AS list`);
    expect(row).toEqual({
      small: 7,
      large: 9007199254740993n,
      at,
      json: [{ a: 1 }],
      bytes: Buffer.from([0, 255]),
      nothing: null,
      list: ["a", "b"],
    });
  });

  it("returns the same rows in a transaction as outside", async () => {
    const statement = sql`SELECT count(*) AS n, now() > 'epoch' AS later`;
    const outside = await test.database.rows(statement);
    expect(await test.database.transaction((tx) => tx.rows(statement))).toEqual(outside);
    expect(await test.database.readTransaction((tx) => tx.rows(statement))).toEqual(outside);
  });

  it("runs raw statements and models of a transaction on one connection, and rolls both back together", async () => {
    const id = newId();
    const failing = test.database.transaction(async (tx) => {
      await tx.team.create({ data: { id, name: "Team" } });
      expect(await tx.execute(sql`UPDATE teams SET name = 'Renamed' WHERE id = ${id}::uuid`)).toBe(1);
      expect(await tx.team.findUnique({ where: { id } })).toMatchObject({ name: "Renamed" });
      throw new Error("no");
    });
    await expect(failing).rejects.toThrow("no");
    expect(await test.database.client.team.findUnique({ where: { id } })).toBeNull();
  });

  it("separates transactions that begin inside one another", async () => {
    const pid = sql`SELECT pg_backend_pid() AS pid`;
    await test.database.transaction(async (outer) => {
      const before = await outer.rows(pid);
      const inner = await test.database.transaction(async (tx) => tx.rows(pid));
      expect(inner).not.toEqual(before);
      expect(await outer.rows(pid)).toEqual(before);
    });
  });

  it("sends BEGIN together with the first statement of a transaction, and nothing without a statement", async () => {
    const trips: [text: string, beginsTrip: boolean][] = [];
    const observed = connect({ url: test.url, onQuery: (text, _, beginsTrip) => trips.push([text, beginsTrip]) });
    await observed.transaction(async (tx) => void (await tx.rows(sql`SELECT 3 AS first`)));
    await observed.readTransaction(async (tx) => void (await tx.rows(sql`SELECT 4 AS first`)));
    await observed.transaction(async () => {});
    await observed.close();
    expect(trips).toEqual([
      ["BEGIN", true],
      ["SELECT 3 AS first", false],
      ["COMMIT", true],
      ["BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", true],
      ["SELECT 4 AS first", false],
      ["COMMIT", true],
    ]);
  });

  it("reports a transaction as failed whose failed statement was ignored", async () => {
    const id = newId();
    const careless = test.database.transaction(async (tx) => {
      await tx.execute(sql`INSERT INTO teams (id, name) VALUES (${id}::uuid, 'x')`);
      await tx.execute(sql`SELECT 1 / ${0}::int`).catch(() => {});
    });
    await expect(careless).rejects.toThrow("a statement had failed");
    expect(await test.database.client.team.findUnique({ where: { id } })).toBeNull();
  });

  it("begins a transaction with a query of a model, and goes on with it after a raw statement", async () => {
    const id = newId();
    await test.database.transaction(async (tx) => {
      await tx.team.create({ data: { id, name: "Team" } });
      expect(await tx.rows(sql`SELECT name FROM teams WHERE id = ${id}::uuid`)).toEqual([{ name: "Team" }]);
      await Promise.all([
        tx.team.count(),
        tx.team.update({ where: { id }, data: { name: "Renamed" } }),
        tx.rows(sql`SELECT 1`),
      ]);
    });
    expect(await test.database.client.team.findUnique({ where: { id } })).toMatchObject({ name: "Renamed" });
  });

  it("refuses a statement of a transaction that has ended", async () => {
    const escaped: Tx[] = [];
    await test.database.transaction(async (tx) => void escaped.push(tx));
    await expect(escaped[0]?.rows(sql`SELECT 1`)).rejects.toThrow("the transaction has ended");
  });

  it.each([100, 300])(
    "refuses what a transaction writes after its time is up, %i ms before its next statement",
    async (ms) => {
      const id = newId();
      const late: unknown[] = [];
      const slow = test.database.transaction(
        async (tx) => {
          await tx.rows(sql`SELECT pg_sleep(${(ms + 100) / 1000})`);
          const insert = sql`INSERT INTO teams (id, name) VALUES (${id}::uuid, 'late')`;
          late.push(await tx.execute(insert).catch((error: unknown) => error));
        },
        { timeoutMs: ms },
      );
      await slow;
      expect(late).toMatchObject([{ name: "DatabaseUnavailableError" }]);
      expect(await test.database.client.team.findUnique({ where: { id } })).toBeNull();
    },
  );

  it("rolls back a transaction that exceeds Prisma's timeout, whatever it still tries", async () => {
    const id = newId();
    const late: unknown[] = [];
    const slow = test.database.transaction(
      async (tx) => {
        await tx.team.create({ data: { id, name: "late" } });
        await tx.rows(sql`SELECT pg_sleep(1.5)`);
        late.push(await tx.team.count().catch((error: unknown) => error));
      },
      { timeoutMs: 100 },
    );
    await expect(slow).rejects.toMatchObject({ name: "DatabaseUnavailableError" });
    expect(late).toMatchObject([{ name: "DatabaseUnavailableError" }]);
    expect(await test.database.client.team.findUnique({ where: { id } })).toBeNull();
  });

  it("runs a read transaction on one snapshot that refuses writes", async () => {
    const teamId = await newTeam();
    const count = sql`SELECT count(*) AS n FROM tags WHERE "teamId" = ${teamId}::uuid`;
    await test.database.readTransaction(async (tx) => {
      const before = await tx.rows(count);
      await test.database.client.tag.create({ data: { teamId, id: newId(), name: "a" } });
      expect(await tx.rows(count)).toEqual(before);
    });
    const writing = test.database.readTransaction((tx) => tx.team.create({ data: { id: newId(), name: "x" } }));
    expect(sqlState(await writing.catch((error: unknown) => error))).toBe("25006");
  });

  it("repeats a transaction after a deadlock, so that both succeed", async () => {
    const a = await newTeam();
    const b = await newTeam();
    let attempts = 0;
    const both = async (first: string, second: string, name: string): Promise<void> => {
      await test.database.transaction(async (tx) => {
        attempts += 1;
        await tx.execute(sql`UPDATE teams SET name = name || ${name} WHERE id = ${first}::uuid`);
        await tx.rows(sql`SELECT pg_sleep(0.2)`);
        await tx.execute(sql`UPDATE teams SET name = name || ${name} WHERE id = ${second}::uuid`);
      });
    };
    await Promise.all([both(a, b, "1"), both(b, a, "2")]);
    expect(attempts).toBeGreaterThanOrEqual(3);
    const { name } = await test.database.client.team.findUniqueOrThrow({ where: { id: a } });
    expect([...name.replace("Team", "")].sort()).toEqual(["1", "2"]);
  });

  it("stops after four attempts, and repeats for no other error", async () => {
    let attempts = 0;
    const raise = (state: string) => async (tx: Tx) => {
      attempts += 1;
      await tx.execute(sql`DO ${sql([`$$ BEGIN RAISE 'no' USING ERRCODE = '${state}'; END $$`])}`);
    };
    expect(sqlState(await test.database.transaction(raise("40001")).catch((error: unknown) => error))).toBe("40001");
    expect(attempts).toBe(4);
    attempts = 0;
    expect(sqlState(await test.database.transaction(raise("23514")).catch((error: unknown) => error))).toBe("23514");
    expect(attempts).toBe(1);
  });

  it("recognizes unique and foreign key violations of models and raw statements", async () => {
    const teamId = await newTeam();
    const { client } = test.database;
    const insert = (team: string, name: string) =>
      sql`INSERT INTO tags ("teamId", id, name) VALUES (${team}::uuid, ${newId()}::uuid, ${name})`;
    await client.tag.create({ data: { teamId, id: newId(), name: "a" } });
    const caught = (work: Promise<unknown>) => work.then(() => null).catch((error: unknown) => error);
    const unique = [
      await caught(client.tag.create({ data: { teamId, id: newId(), name: "a" } })),
      await caught(test.database.execute(insert(teamId, "a"))),
      await caught(test.database.transaction((tx) => tx.tag.create({ data: { teamId, id: newId(), name: "a" } }))),
      await caught(test.database.transaction((tx) => tx.execute(insert(teamId, "a")))),
    ];
    const foreign = [
      await caught(client.tag.create({ data: { teamId: newId(), id: newId(), name: "a" } })),
      await caught(test.database.execute(insert(newId(), "a"))),
    ];
    expect(unique.map(isUniqueViolation)).toEqual([true, true, true, true]);
    expect(unique.map(isForeignKeyViolation)).toEqual([false, false, false, false]);
    expect(foreign.map(isForeignKeyViolation)).toEqual([true, true]);
    expect(foreign.map(isUniqueViolation)).toEqual([false, false]);
  });

  it("refuses a reference across teams in the database itself", async () => {
    const mine = await newTeam();
    const other = await newTeam();
    const now = new Date();
    const collectionId = newId();
    await test.database.client.collection.create({
      data: { teamId: other, id: collectionId, name: "Theirs", createdAt: now, updatedAt: now },
    });
    const document = { id: newId(), title: "x", titleKey: "x", runStartedAt: now, createdAt: now, updatedAt: now };
    const create = test.database.client.document.create({ data: { ...document, teamId: mine, collectionId } });
    expect(isForeignKeyViolation(await create.catch((error: unknown) => error))).toBe(true);
  });

  it("reports every statement, and prepares a text once per connection", async () => {
    statements.length = 0;
    await test.database.rows(sql`SELECT 1 AS told`);
    await test.database.client.team.findUnique({ where: { id: newId() } });
    await test.database.transaction(async (tx) => void (await tx.rows(sql`SELECT 2 AS told`)));
    expect(statements[0]).toBe("SELECT 1 AS told");
    expect(statements[1]).toMatch(/^SELECT "public"\."teams"/);
    expect(statements.slice(2)).toEqual(["BEGIN", "SELECT 2 AS told", "COMMIT"]);

    const single = connect({ url: test.url, poolMax: 1 });
    for (let run = 0; run < 3; run += 1) await single.rows(sql`SELECT ${run}::int AS run`);
    const prepared = await single.rows(sql`SELECT statement FROM pg_prepared_statements`);
    await single.close();
    expect(prepared.filter((row) => JSON.stringify(row).includes("AS run"))).toHaveLength(1);
  });

  it("prepares a limited number of texts per connection", async () => {
    const single = connect({ url: test.url, poolMax: 1 });
    for (let run = 0; run < 700; run += 1) await single.rows(sql([`SELECT ${run} AS run`]));
    const [row] = await single.rows<{ n: number }>(sql`SELECT count(*) AS n FROM pg_prepared_statements`);
    await single.close();
    expect(row?.n).toBe(500);
  });
});
