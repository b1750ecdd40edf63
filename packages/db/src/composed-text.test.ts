import { expect, it } from "vitest";
import { empty, join, raw, sql } from "./sql.ts";

it("a composed statement numbers its values in their order, however deep they are nested", () => {
  const condition = sql`a = ${1} AND b = ${2}`;
  const statement = sql`SELECT ${raw('"x"')} FROM t WHERE ${condition}${empty} AND c IN (${join([3, sql`lower(${4})`, 5])}) LIMIT ${6}`;
  expect(statement.text).toBe('SELECT "x" FROM t WHERE a = $1 AND b = $2 AND c IN ($3,lower($4),$5) LIMIT $6');
  expect(statement.values).toEqual([1, 2, 3, 4, 5, 6]);
});

it("equal compositions share one text, and different ones never do", () => {
  const compose = (value: unknown, part = empty) => sql`SELECT ${value} ${part}`;
  const list = (...values: number[]) => sql`SELECT ${join(values, " + ")}`;
  expect(compose(1, sql`AND a`).composed).not.toBe(compose(2, sql`AND b`).composed);
  expect(compose(1).composed).toBe(compose(2).composed);
  expect(compose(1, raw("x")).composed).toBe(compose(2, raw("x")).composed);
  expect([compose(1, raw("x")).text, compose(1, raw("y")).text]).toEqual(["SELECT $1 x", "SELECT $1 y"]);
  expect([compose(1, empty).text, compose(empty, 1 as never).text]).toEqual(["SELECT $1 ", "SELECT  $1"]);
  expect([list(1).text, list(1, 2).text, list(3, 4, 5).text]).toEqual([
    "SELECT $1",
    "SELECT $1 + $2",
    "SELECT $1 + $2 + $3",
  ]);
  expect(sql`SELECT ${join([1, 2])}`.text).toBe("SELECT $1,$2");
});

it("a list of values must not be empty", () => {
  expect(() => join([])).toThrow("must not be empty");
});

it("texts without end are composed, but not all of them are kept", () => {
  for (let n = 0; n < 20_000; n += 1) expect(sql`SELECT ${raw(`c${n}`)} + ${n}`.text).toBe(`SELECT c${n} + $1`);
  expect(sql`SELECT ${raw("c19999")} + ${1}`.text).toBe("SELECT c19999 + $1");
});
