import { existsSync } from "node:fs";
import { join } from "node:path";
import { authenticateApiKey, verifyPassword } from "@kb/auth";
import { admin, type Service } from "@kb/core";
import { sql } from "@kb/db";
import { type TestDatabase, testDatabase } from "@kb/db/testing";
import { api, type One } from "@kb/http/testing";
import { testBrowser } from "@kb/testing/browser";
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

describe("a first start", { timeout: 90_000 }, () => {
  it("prints the address of a page and a code, with which the team is set up; the API key stays", {
    meta: { proves: ["onboarding.setup.page", "onboarding.setup.code"] },
  }, async () => {
    const { greeting } = await home.start();
    expect(greeting).toContain(`  Open     ${home.url}/setup\n`);
    const [, code = ""] = / Code +(\S+) /.exec(greeting) ?? [];
    const [key = ""] = /kb_\w{36}/.exec(greeting) ?? [];
    const me = () => api(home.url, key).get<One<{ name: string; email: string }>>("/api/v1/me");
    expect((await me()).body.data.email).toBe("admin@example.com");
    const service = { request: (url: string, init: RequestInit) => fetch(url, { ...init, redirect: "manual" }) };
    const browser = testBrowser(service, { origin: home.url });
    const entries = {
      code,
      team: "Otters",
      name: "Ada",
      email: "ada@otters.example",
      password: "quiet river otters 7",
    };
    const page = await browser.get("/setup");
    const answer = await browser.submit(page, "/setup", entries);
    expect([answer.status, answer.headers.get("Location")]).toEqual([303, "/"]);
    const frontPage = await browser.get("/");
    expect([frontPage.status, frontPage.text.includes("Otters")]).toEqual([200, true]);
    expect((await browser.get("/setup")).status).toBe(404);
    expect((await me()).body.data).toMatchObject({ name: "Ada", email: "ada@otters.example" });
  });

  it("with KB_ADMIN_PASSWORD is set up already: it prints no code, and the page does not exist", {
    meta: { proves: ["onboarding.setup.page"] },
  }, async () => {
    const { greeting } = await home.start({ KB_ADMIN_PASSWORD: "chosen by the operator" });
    expect(greeting).toContain(`  Open     ${home.url}\n`);
    expect(greeting).not.toMatch(/Code|setup/);
    expect((await fetch(`${home.url}/setup`)).status).toBe(404);
  });
});

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
    expect([await count("teams"), await count("documents")]).toEqual([1, 5]);
    expect(existsSync(join(home.settings.dataDir, "first-start.unfinished"))).toBe(false);
  });

  it("at any step creates nothing twice, and no key that was never shown", async () => {
    const made = { name: "My team", adminEmail: home.settings.adminEmail, adminPassword: "never shown" };
    markUnfinished(home.settings.dataDir, home.settings.adminEmail);
    await admin.createFirstTeam(service, made);
    const first = await firstStart(service, home.settings);
    const [destroyed] = await test.database.acrossTeams.rows<{ id: string }>(
      sql`DELETE FROM documents WHERE title = 'Working together' RETURNING id::text AS id`,
    );
    expect(destroyed).toBeDefined();
    const again = await firstStart(service, home.settings);
    expect(await count("documents")).toBe(5);
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
