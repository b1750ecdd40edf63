import { existsSync } from "node:fs";
import { join } from "node:path";
import { authenticateApiKey, verifyPassword } from "@kb/auth";
import { admin, type Service } from "@kb/core";
import { sql } from "@kb/db";
import { type TestDatabase, testDatabase } from "@kb/db/testing";
import { api, type One } from "@kb/http/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { serviceOf } from "../src/access.ts";
import { firstStart } from "../src/start/first-start.ts";
import { markFinished, markUnfinished } from "../src/start/unfinished.ts";
import { type Home, makeHome } from "./process.ts";

let test: TestDatabase;
let home: Home;
let service: Service;

beforeEach(async () => {
  test = await testDatabase();
  home = await makeHome({ DATABASE_URL: test.url });
  service = serviceOf(test.database, home.settings);
});
afterEach(async () => {
  await home?.remove();
  await test?.drop();
});

const count = async (table: "teams" | "documents"): Promise<number> => {
  const statement =
    table === "teams" ? sql`SELECT count(*)::int AS n FROM teams` : sql`SELECT count(*)::int AS n FROM documents`;
  return (await test.database.acrossTeams.rows<{ n: number }>(statement))[0]?.n ?? 0;
};

describe("a first start that is killed", { timeout: 90_000 }, () => {
  it("between the team and its credentials is continued by the next start, which shows new ones that work", {
    meta: { proves: ["decision.running.first-start-resumed"] },
  }, async () => {
    const killed = await home.killedStart(() =>
      expect.poll(() => count("teams"), { timeout: 60_000, interval: 5 }).toBe(1),
    );
    expect(killed.stdout).not.toMatch(/kb_|Password/);
    const { greeting } = await home.start();
    const [key = ""] = /kb_\w{36}/.exec(greeting) ?? [];
    expect((await api(home.url, key).get<One<{ email: string }>>("/api/v1/me")).body.data.email).toBe(
      "admin@example.com",
    );
    expect([await count("teams"), await count("documents")]).toEqual([1, 4]);
    expect(existsSync(join(home.settings.dataDir, "first-start.unfinished"))).toBe(false);
  });

  it("at any step creates nothing twice, and no key that was never shown", async () => {
    const made = { name: "My team", adminEmail: home.settings.adminEmail, adminPassword: "never shown" };
    markUnfinished(home.settings.dataDir, home.settings.adminEmail);
    await admin.createFirstTeam(service, made);
    const first = await firstStart(service, home.settings);
    const [destroyed] = await test.database.acrossTeams.rows<{ id: string }>(
      sql`DELETE FROM documents WHERE title LIKE 'Meeting notes%' RETURNING id::text AS id`,
    );
    expect(destroyed).toBeDefined();
    const again = await firstStart(service, home.settings);
    expect(await count("documents")).toBe(4);
    expect(await authenticateApiKey(test.database, first?.apiKey ?? "", new Date())).toBeNull();
    expect(await authenticateApiKey(test.database, again?.apiKey ?? "", new Date())).not.toBeNull();
    const [user] = await test.database.acrossTeams.rows<{ hash: string }>(
      sql`SELECT "passwordHash" AS hash FROM users`,
    );
    expect(await verifyPassword(user?.hash ?? "", again?.password ?? "")).toBe(true);
    markFinished(home.settings.dataDir);
    expect(await firstStart(service, home.settings)).toBeNull();
  });

  it("after another process made the team shows no credentials, and changes no password", async () => {
    markUnfinished(home.settings.dataDir, "nobody@example.com");
    await admin.createFirstTeam(service, {
      name: "Theirs",
      adminEmail: "ada@example.com",
      adminPassword: "known to Ada",
    });
    expect(await firstStart(service, home.settings)).toBeNull();
    const [user] = await test.database.acrossTeams.rows<{ hash: string }>(
      sql`SELECT "passwordHash" AS hash FROM users`,
    );
    expect(await verifyPassword(user?.hash ?? "", "known to Ada")).toBe(true);
  });
});
