import { testDatabase } from "@kb/db/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readSettings } from "../env.ts";
import { replicaFindings } from "./replicas.ts";

let test: Awaited<ReturnType<typeof testDatabase>>;
beforeAll(async () => {
  test = await testDatabase();
});
afterAll(() => test.drop());

const findingsOf = (replicas: readonly string[], databaseUrl = test.url) =>
  replicaFindings(readSettings({ DATABASE_URL: databaseUrl, DATABASE_REPLICA_URL: replicas.join(",") }));

it("kb doctor warns of a replica that is not read, and says why", async () => {
  const elsewhere = new URL(test.url);
  elsewhere.pathname = "/postgres";
  const { host } = elsewhere;
  const { pathname } = new URL(test.url);
  expect(await findingsOf([test.url, elsewhere.href, "postgresql://nobody@127.0.0.1:9/kb"])).toEqual([
    {
      name: "replica",
      state: "warn",
      message: expect.stringMatching(`^${host}${pathname} is no replica, or was promoted: .*not read`),
    },
    {
      name: "replica",
      state: "warn",
      message: expect.stringMatching(`^${host}/postgres .*another database than DATABASE_URL`),
    },
    {
      name: "replica",
      state: "warn",
      message: expect.stringMatching(/^127\.0\.0\.1:9\/kb does not respond.* \(connect ECONNREFUSED 127\.0\.0\.1:9\)/),
    },
  ]);
});

it("kb doctor checks no replica while the database is away, or where none is set", async () => {
  const away = "postgresql://nobody@127.0.0.1:9/kb";
  expect(await findingsOf([test.url], away)).toMatchObject([
    { state: "warn", message: expect.stringMatching(/was not checked.*ECONNREFUSED/) },
  ]);
  expect(await findingsOf([])).toEqual([]);
});

it("replicas of the embedded PostgreSQL, or an address that is none, are refused", () => {
  expect(() => readSettings({ DATABASE_REPLICA_URL: "postgresql://replica/kb" })).toThrow(/the embedded one has none/);
  const given = {
    DATABASE_URL: "postgresql://primary/kb",
    DATABASE_REPLICA_URL: "postgresql://replica/kb, replica:5432",
  };
  expect(() => readSettings(given)).toThrow(/DATABASE_REPLICA_URL/);
});
