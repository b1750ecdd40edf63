import { type TestDatabase, testDatabase } from "@kb/db/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newId } from "./ids.ts";
import { empty, sql } from "./sql.ts";
import { TenantGuardError } from "./tenant-guard.ts";
import type { Tx } from "./transaction.ts";

describe("the tenant guard", () => {
  let test: TestDatabase;
  const team = newId();
  const other = newId();
  const createdAt = new Date();

  beforeAll(async () => {
    test = await testDatabase();
    await test.database.client.team.createMany({ data: [team, other].map((id) => ({ id, name: "Team" })) });
  });
  afterAll(() => test.drop());

  type Attempt = (db: Pick<Tx, "tag" | "user" | "team" | "oauthClient" | "collection">) => Promise<unknown>;
  const id = newId();
  const tag = { id, name: "a" };
  const key = { teamId_id: { teamId: team, id } };

  const refused: Record<string, Attempt> = {
    "findMany without a where": (db) => db.tag.findMany(),
    "findMany by another field": (db) => db.tag.findMany({ where: { name: "a" } }),
    "findMany of all teams but one": (db) => db.tag.findMany({ where: { teamId: { not: team } } }),
    "findMany of several teams": (db) => db.tag.findMany({ where: { teamId: { in: [team, other] } } }),
    "findMany of either team": (db) => db.tag.findMany({ where: { OR: [{ teamId: team }, { teamId: other }] } }),
    "findFirst without a team": (db) => db.tag.findFirst({ where: { id } }),
    "findFirstOrThrow without a team": (db) => db.tag.findFirstOrThrow({ where: { id } }),
    "findUnique by a key without its team": (db) => db.user.findUnique({ where: { email: "a@example.com" } }),
    "findUniqueOrThrow by a key without its team": (db) =>
      db.user.findUniqueOrThrow({ where: { email: "a@example.com" } }),
    "count without a team": (db) => db.tag.count(),
    "aggregate without a team": (db) => db.tag.aggregate({ _count: true }),
    "groupBy without a team": (db) => db.tag.groupBy({ by: ["name"] }),
    "update without a team": (db) => db.user.update({ where: { email: "a@example.com" }, data: { name: "b" } }),
    "update into another team": (db) => db.tag.update({ where: key, data: { teamId: other } }),
    "update through a relation": (db) =>
      db.collection.update({
        where: key,
        data: { documents: { connect: { teamId_id: { teamId: other, id } } } },
      }),
    "updateMany without a team": (db) => db.tag.updateMany({ data: { name: "b" } }),
    "updateManyAndReturn without a team": (db) => db.tag.updateManyAndReturn({ data: { name: "b" } }),
    "upsert that creates in another team": (db) =>
      db.tag.upsert({ where: key, create: { ...tag, teamId: other }, update: {} }),
    "upsert that moves into another team": (db) =>
      db.tag.upsert({ where: key, create: { ...tag, teamId: team }, update: { teamId: other } }),
    "upsert without a team": (db) =>
      db.user.upsert({
        where: { email: "a@example.com" },
        create: { teamId: team, id, email: "a@example.com", name: "a" },
        update: {},
      }),
    "delete without a team": (db) => db.user.delete({ where: { email: "a@example.com" } }),
    "deleteMany without a team": (db) => db.tag.deleteMany(),
    "create that connects its team": (db) => db.tag.create({ data: { ...tag, team: { connect: { id: team } } } }),
    "create through a relation": (db) =>
      db.team.create({ data: { id: newId(), name: "x", tags: { create: { id, name: "a" } } } }),
    "a way from a table of no team into those of teams": (db) => db.team.findMany({ include: { users: true } }),
    "a filter of a table of no team by those of teams": (db) =>
      db.oauthClient.findMany({ where: { grants: { some: {} } } }),
  };

  it.each(Object.keys(refused))("refuses %s, in and outside a transaction", async (name) => {
    const attempt = refused[name];
    if (attempt === undefined) throw new Error(name);
    await expect(attempt(test.database.client)).rejects.toThrow(TenantGuardError);
    await expect(test.database.transaction(attempt)).rejects.toThrow(TenantGuardError);
  });

  it("refuses a team that is undefined, which Prisma would drop", async () => {
    const teamId: string | undefined = JSON.parse("{}").teamId;
    const where = teamId === undefined ? JSON.parse('{"teamId":null}') : { teamId };
    where.teamId = undefined;
    await expect(test.database.client.tag.findMany({ where })).rejects.toThrow(TenantGuardError);
    await expect(test.database.client.tag.deleteMany({ where })).rejects.toThrow(TenantGuardError);
  });

  it("refuses createMany if one row does not name its team", async () => {
    const rows = [{ ...tag, teamId: team }, JSON.parse(JSON.stringify({ id: newId(), name: "b" }))];
    await expect(test.database.client.tag.createMany({ data: rows })).rejects.toThrow(TenantGuardError);
    await expect(test.database.client.tag.createManyAndReturn({ data: rows })).rejects.toThrow(TenantGuardError);
    expect(await test.database.client.tag.count({ where: { teamId: team } })).toBe(0);
  });

  it("allows every operation that names its team", async () => {
    const { tag: tags, team: teams } = test.database.client;
    const where = { teamId: team };
    await tags.create({ data: { ...tag, teamId: team } });
    await tags.createMany({ data: [{ teamId: team, id: newId(), name: "b", createdAt }] });
    await tags.createManyAndReturn({ data: { teamId: team, id: newId(), name: "c" } });
    expect(await tags.findUnique({ where: key })).toMatchObject({ name: "a" });
    expect(await tags.findFirst({ where: { teamId: { equals: team }, name: "b" } })).not.toBeNull();
    expect(await tags.findMany({ where: { AND: [{ name: "c" }, where] } })).toHaveLength(1);
    expect(await tags.count({ where })).toBe(3);
    expect(await tags.groupBy({ by: ["restricted"], where, _count: true })).toMatchObject([{ _count: 3 }]);
    expect(await tags.aggregate({ where, _count: true })).toMatchObject({ _count: 3 });
    await tags.update({ where: key, data: { name: "d", teamId: team } });
    await tags.updateMany({ where, data: { color: "#ffffff" } });
    await tags.upsert({ where: key, create: { ...tag, teamId: team }, update: { name: "e" } });
    await tags.delete({ where: key });
    expect(await tags.deleteMany({ where })).toEqual({ count: 2 });
    expect(await teams.findMany({ where: { id: team } })).toHaveLength(1);
  });

  it("refuses raw SQL on a tenant table without the team, except by the named methods", async () => {
    const { database } = test;
    const statement = sql`SELECT count(*) AS n FROM tags`;
    await expect(database.rows(statement)).rejects.toThrow(TenantGuardError);
    await expect(database.execute(sql`DELETE FROM tags`)).rejects.toThrow(TenantGuardError);
    await expect(database.execute(sql`UPDATE "tags" SET name = 'x'`)).rejects.toThrow(TenantGuardError);
    await expect(database.transaction((tx) => tx.rows(statement))).rejects.toThrow(TenantGuardError);
    await expect(database.rows(sql`SELECT 1 FROM teams, tags ${empty}`)).rejects.toThrow(TenantGuardError);
    expect(await database.rows(sql`SELECT count(*) AS n FROM tags WHERE "teamId" = ${team}::uuid`)).toEqual([{ n: 0 }]);
    expect(await database.beforeTeam.rows(statement)).toEqual([{ n: 0 }]);
    expect(await database.acrossTeams.execute(sql`DELETE FROM tags`)).toBe(0);
  });
});
