import { describe, expect, it } from "vitest";
import { readsOfAllShards } from "./one-shard.ts";

const byTeam = new Set(["documents"]);
const needsAll = (...conditions: string[]): boolean =>
  readsOfAllShards([{ table: "documents", how: "Seq Scan", rows: 1, conditions }], byTeam).length > 0;

describe("a read of a table of teams", () => {
  it.each([
    [`("teamId" = 'b0'::uuid)`],
    [`("teamId" = $1)`],
    [`((d."teamId" = c."teamId") AND (d.id = c.id))`],
    [`((d.id = c.id) AND (c."teamId" = d."teamId"))`],
    [`((title ~~ 'a AND ("b'::text) AND ("teamId" = $1) AND ((id = $2) OR (id = $3)))`],
  ])("goes to one shard by %s", (condition) => {
    expect(needsAll(condition)).toBe(false);
  });

  it("goes to one shard by the condition of its index or by its filter", () => {
    expect(needsAll("(id = $2)", `("teamId" = $1)`)).toBe(false);
  });

  it.each([
    ["(id = $1)"],
    [`("teamId" = ANY ($1))`],
    [`("teamId" = ANY ('{b0,b1}'::uuid[]))`],
    [`(("teamId" = $1) OR (id = $2))`],
    [`((id = $2) AND (("teamId" = $1) OR (id = $3)))`],
    [`("teamId" <> $1)`],
    [`(NOT ("teamId" = $1))`],
    [`(title = ' AND ("teamId" = $1) AND '::text)`],
    [`("otherTeamId" = $1)`],
  ])("needs every shard by %s", (condition) => {
    expect(needsAll(condition)).toBe(true);
  });

  it("needs every shard without a condition, and none matters for a table without a team", () => {
    expect(needsAll()).toBe(true);
    expect(readsOfAllShards([{ table: "users_seen", how: "Seq Scan", rows: 1, conditions: [] }], byTeam)).toEqual([]);
  });
});
