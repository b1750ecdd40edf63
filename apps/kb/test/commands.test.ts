import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { authenticateApiKey, hashToken, isWellFormedToken, verifyPassword } from "@kb/auth";
import { admin, invoke, operations } from "@kb/core";
import { raw, sql } from "@kb/db";
import { type TestDatabase, testDatabase } from "@kb/db/testing";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { serviceOf } from "../src/access.ts";
import { main } from "../src/cli.ts";
import { type Home, makeHome } from "./process.ts";

let test: TestDatabase;
let home: Home;

beforeAll(async () => {
  test = await testDatabase();
  home = await makeHome({ DATABASE_URL: test.url });
});

afterAll(async () => {
  await home?.remove();
  await test?.drop();
});

const create = [
  "team",
  "create",
  "--name",
  "Ours",
  "--admin-email",
  " Ada@Example.com ",
  "--admin-password",
  "first password",
];

describe("the commands of an administrator", { timeout: 60_000 }, () => {
  it("report that there is no team yet, and what to do", async () => {
    const { code, stderr } = await home.kb(["mcp", "on"]);
    expect(code).toBe(1);
    expect(stderr).toBe("There is no team yet. Create one with `kb team create`, or run `kb start`.\n");
  });

  it("kb team create creates a team and its admin, who can log in", {
    meta: { proves: ["decision.running.kb-team"] },
  }, async () => {
    const team = await home.json(create);
    expect(team).toMatchObject({ name: "Ours", adminEmail: "ada@example.com" });
    expect(await verifyPassword(await passwordHash("ada@example.com"), "first password")).toBe(true);
    expect(await home.refusal(create)).toMatchObject({ code: "conflict" });
  });

  it("kb user create, password and suspend manage people", {
    meta: { proves: ["decision.running.kb-user"] },
  }, async () => {
    const email = "grace@example.com";
    const user = await home.json(["user", "create", "--email", email, "--name", "Grace", "--group", "editors"]);
    expect(user).toMatchObject({ email, name: "Grace", group: "Editors" });
    const made = await home.json(["user", "password", "--email", email]);
    expect(await verifyPassword(await passwordHash(email), String(made.password))).toBe(true);
    const key = String((await home.json(["key", "create", "--user", email, "--scopes", "read"])).key);
    expect(await authenticateApiKey(test.database, key, new Date())).not.toBeNull();
    await home.json(["user", "suspend", "--email", email]);
    expect(await authenticateApiKey(test.database, key, new Date())).toBeNull();
  });

  it("kb key create prints the id and the key, and stores only its hash", {
    meta: { proves: ["decision.running.kb-key"] },
  }, async () => {
    const { id, key } = await home.json(["key", "create", "--user", "ada@example.com", "--scopes", "read,write"]);
    expect(isWellFormedToken("kb_", String(key))).toBe(true);
    const actor = await authenticateApiKey(test.database, String(key), new Date());
    expect([...(actor?.scopes ?? [])]).toEqual(["read", "write"]);
    const rows = await test.database.beforeTeam.rows<{ hash: Buffer }>(
      sql`SELECT hash FROM api_keys WHERE id = ${String(id)}::uuid`,
    );
    expect(rows.map(({ hash }) => new Uint8Array(hash))).toEqual([hashToken(String(key))]);
  });

  it("kb key create --restrict and --expires narrow the key", async () => {
    const service = serviceOf(test.database, home.settings);
    const { id: teamId } = await admin.findTeam(service, undefined);
    const collection = await newCollection(teamId, "Narrow");
    const file = join(home.folder, "restrict.json");
    writeFileSync(file, JSON.stringify({ collections: { Narrow: "read" } }));
    const args = ["key", "create", "--user", "ada@example.com", "--scopes", "read", "--restrict", file];
    const { id, key, restricted } = await home.json([...args, "--expires", "2099-01-01"]);
    expect(restricted).toBe(true);
    const rows = await test.database.client.apiKeyCollection.findMany({ where: { teamId, apiKeyId: String(id) } });
    expect(rows).toMatchObject([{ collectionId: collection, level: "read" }]);
    expect(await authenticateApiKey(test.database, String(key), new Date("2098-12-31"))).not.toBeNull();
    expect(await authenticateApiKey(test.database, String(key), new Date("2099-01-02"))).toBeNull();
    writeFileSync(file, JSON.stringify({ collections: { Nowhere: "read" } }));
    expect((await home.kb(args)).stderr).toBe('There is no collection "Nowhere".\n');
  });

  it("kb channel create prints the id and the token; kb mcp switches MCP for a team", async () => {
    const channel = await home.json(["channel", "create", "--name", "Site", "--collection", "Narrow", "--markdown"]);
    expect(channel).toMatchObject({ name: "Site", token: expect.stringMatching(/^kbc_\w{36}$/) });
    expect(await home.json(["mcp", "on"])).toMatchObject({ name: "Ours", mcpEnabled: true });
    expect(await home.json(["mcp", "off", "--team", "Ours"])).toMatchObject({ mcpEnabled: false });
  });

  it("kb info shows the stored bytes of each team and its quotas; kb recount corrects them", async () => {
    const team = await admin.findTeam(serviceOf(test.database, home.settings), "Ours");
    await test.database.rows(sql`INSERT INTO storage_usage ("teamId", "userId", "documentBytes")
      VALUES (${team.id}::uuid, '00000000-0000-0000-0000-000000000000', 1234567)
      ON CONFLICT ("teamId", "userId") DO UPDATE SET "documentBytes" = 1234567 RETURNING 1`);
    const { stdout } = await home.kb(["info"], { QUOTA_TEAM_DOCUMENT_BYTES: "5000000" });
    expect(stdout).toContain("storage      Ours\n             documents: 1,234,567 of 5,000,000 bytes\n");
    expect(stdout).toContain("earlier revisions: 0 bytes\n             attachments: 0 bytes\n");
    const limited = await home.kb(["info"], { QUOTA_USER_REVISION_BYTES: "7000" });
    expect(limited.stdout).toMatch(/\n {13}most earlier revisions of a user: [\d,]+ of 7,000 bytes\n/);
    expect(limited.stdout).not.toContain("most documents of a user");
    expect(await home.json(["recount"])).toEqual({ corrected: 0 });
    const info = await home.json(["info"], { QUOTA_USER_REVISION_BYTES: "7" });
    expect(info.storage).toEqual([expect.objectContaining({ team: "Ours", documents: 0 })]);
    expect(info.quotas).toEqual({ team: {}, user: { revisions: 7 } });
  });

  it("kb info shows the rest where the database does not answer", async () => {
    const info = await home.json(["info"], { DATABASE_URL: "postgresql://kb:kb@127.0.0.1:1/kb" });
    expect(info).toMatchObject({ url: home.url, storage: null });
  });

  it("refuse a database that does not exist, and only `kb migrate --create` creates it", async () => {
    const url = new URL(test.url);
    url.pathname = `/mistyped_${Date.now()}`;
    const DATABASE_URL = url.href;
    const name = url.pathname.slice(1);
    for (const words of [["start"], ["migrate"], ["team", "create", "--name", "A", "--admin-email", "a@example.com"]]) {
      const refused = await home.refusal(words, { DATABASE_URL });
      expect([words, refused.code, String(refused.error).includes(name)]).toEqual([words, "no_database", true]);
      expect(refused.error).toContain("kb migrate --create");
    }
    expect(await home.json(["migrate", "--create"], { DATABASE_URL })).toMatchObject({ applied: expect.any(Array) });
    expect(await home.json(["migrate"], { DATABASE_URL })).toEqual({ applied: [] });
    await test.database.execute(sql`DROP DATABASE ${raw(name)}`);
  });

  it("ask for the team if there are several", async () => {
    await home.json(["team", "create", "--name", "Theirs", "--admin-email", "eve@example.com"]);
    expect(await home.refusal(["mcp", "on"])).toMatchObject({ code: "conflict" });
    expect(await home.json(["mcp", "on", "--team", "Theirs"])).toMatchObject({ name: "Theirs", mcpEnabled: true });
  });

  it("kb mail queues a test, lists mails with the reason of a failure, and sends failed ones again", {
    // Nine commands, each of which takes seconds on a busy machine.
    timeout: 240_000,
    meta: { proves: ["onboarding.mail.dead-letters"] },
  }, async () => {
    const queue = ["mail", "test", "--to", "Ada@example.com", "--team", "Ours"];
    expect(await home.refusal(queue)).toMatchObject({
      code: "unavailable",
      error: expect.stringContaining("SMTP_URL"),
    });
    const sending = await makeHome({
      DATABASE_URL: test.url,
      APP_SECRET: randomBytes(32).toString("hex"),
      SMTP_URL: "smtp://127.0.0.1:9",
      MAIL_FROM: "wiki@example.com",
    });
    try {
      const { id } = await sending.json(queue);
      const listed = { id, kind: "test", recipient: "ada@example.com", team: "Ours" };
      expect(await home.json(["mail", "list"])).toMatchObject({
        mails: [{ ...listed, status: "pending", failure: null }],
      });
      await test.database.execute(sql`UPDATE mails SET status = 'failed', failure = '550 No such mailbox', attempts = 2
        WHERE "teamId" = (SELECT id FROM teams WHERE name = 'Ours')`);
      expect((await home.kb(["mail", "list", "--status", "failed"])).stdout).toContain("after 2 attempts: 550 No such");
      expect(await home.json(["info"])).toMatchObject({ mails: { pending: 0, failed: 1 } });
      expect(await home.json(["mail", "retry", "--id", String(id)])).toEqual({ queued: 1 });
      expect(await home.json(["mail", "list"])).toMatchObject({
        mails: [{ ...listed, status: "pending", attempts: 0 }],
      });
      expect(await home.refusal(["mail", "retry", "--id", String(id)])).toMatchObject({ code: "not_found" });
    } finally {
      await sending.remove();
    }
  });

  it("every command accepts --json and --help; an error is one JSON object too", {
    meta: { proves: ["decision.running.kb-json"] },
  }, async () => {
    const commands = [
      "start",
      "migrate",
      "info",
      "recount",
      "doctor",
      "team create",
      "user create",
      "user invite",
      "user list",
      "user suspend",
      "user unsuspend",
      "group list",
      "user password",
      "user log-in-link",
    ];
    const written = vi.spyOn(process.stdout, "write").mockReturnValue(true);
    onTestFinished(() => written.mockRestore());
    for (const command of [
      ...commands,
      "key create",
      "key list",
      "key revoke",
      "channel create",
      "mcp on",
      "mcp off",
      "mail list",
      "mail retry",
      "mail test",
      "import",
    ]) {
      const code = await main([...command.split(" "), "--help"], new AbortController().signal);
      expect([command, code, written.mock.calls.map(([text]) => text).join("")]).toEqual([
        command,
        0,
        expect.stringContaining("--json"),
      ]);
      written.mockClear();
    }
    expect(await home.refusal(["key", "create"])).toEqual({ code: "usage", error: expect.stringContaining("--user") });
    expect(await home.refusal(["nonsense"])).toMatchObject({ code: "usage" });
  });
});

async function passwordHash(email: string): Promise<string> {
  const rows = await test.database.beforeTeam.rows<{ passwordHash: string }>(
    sql`SELECT "passwordHash" FROM users WHERE email = ${email}`,
  );
  expect(rows[0]?.passwordHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  return rows[0]?.passwordHash ?? "";
}

async function newCollection(teamId: string, name: string): Promise<string> {
  const service = serviceOf(test.database, home.settings);
  const actor = await admin.systemActor(service, teamId);
  return (await invoke(service, operations.createCollection, actor, { name })).id;
}
