import { authenticateAccessToken, oauthKeys } from "@kb/auth";
import { admin, endGrant, flushAudit } from "@kb/core";
import { allowApp, type ConnectedApp, connectApp, createWorld, type World } from "@kb/core/testing";
import { type Database, connect as openDatabase, sql } from "@kb/db";
import { type TestDatabase, testDatabase } from "@kb/db/testing";
import { clientIp } from "@kb/http";
import { createLifecycle, createLogger, processLimiter } from "@kb/runtime";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createOauth } from "../src/index.ts";
import { authorization, secret } from "./setting.ts";
import { type Answer, redeem, refresh, revoke } from "./tokens.ts";

let base: TestDatabase;
let world: World;
/** Two instances, each with its own connections, over one database. */
let apps: ReturnType<typeof createOauth>[];
const opened: Database[] = [];

beforeAll(async () => {
  base = await testDatabase();
  world = await createWorld(base.database);
  await base.database.acrossTeams.execute(sql`UPDATE teams SET "mcpEnabled" = true`);
  apps = [instance(), instance()];
});
afterAll(async () => {
  await Promise.all(opened.map((database) => database.close()));
  await base.drop();
});

function instance(keys = authorization.keys, url = base.url): ReturnType<typeof createOauth> {
  const database = openDatabase({ url });
  opened.push(database);
  return createOauth({
    service: { ...world.service, database },
    secret,
    lifecycle: createLifecycle(),
    logger: createLogger({ app: "oauth", level: "silent" }),
    clientIp: clientIp([]),
    limiter: processLimiter(),
    authorization: { ...authorization, keys, tokenPerMinute: 1_000_000 },
  });
}

const at = (index: number): ReturnType<typeof createOauth> => {
  const app = apps[index % apps.length];
  if (app === undefined) throw new Error("no instance");
  return app;
};

/** Runs it `count` times at once, on the instances in turn. */
const atOnce = <T>(
  times: number,
  run: (app: ReturnType<typeof createOauth>, index: number) => Promise<T>,
): Promise<T[]> => Promise.all(Array.from({ length: times }, (_, index) => run(at(index), index)));

function holderOf(token: unknown) {
  const { database, oauth, clock, appUrl } = world.service;
  return authenticateAccessToken(database, String(token), {
    ...oauth,
    resource: `${appUrl}/api/mcp`,
    now: clock.now(),
  });
}

const grantOf = ({ grantId }: { grantId: string }) => {
  const { teamId } = world;
  return base.database.client.oauthGrant.findUniqueOrThrow({ where: { teamId_id: { teamId, id: grantId } } });
};

const auditOf = async (action: string, { grantId }: { grantId: string }) => {
  await flushAudit(world.service);
  return base.database.client.auditEntry.count({ where: { teamId: world.teamId, action, targetId: grantId } });
};

const good = (answers: readonly Answer[]): Answer[] => answers.filter(({ status }) => status === 200);

describe("two instances with one database, without Redis", () => {
  it("exactly one of 50 concurrent redemptions of a code succeeds, and the grant ends once", {
    meta: { proves: ["decision.oauth.code"] },
  }, async () => {
    const app = await allowApp(world, world.people.editor);
    const answers = await atOnce(50, (on) => redeem(on, app));
    expect(good(answers)).toHaveLength(1);
    for (const { status, body } of answers)
      if (status !== 200) expect([status, body.error]).toEqual([400, "invalid_grant"]);
    expect(await holderOf(good(answers)[0]?.body.access_token)).toBeNull();
    expect((await grantOf(app)).revokedAt).not.toBeNull();
    expect(await auditOf("oauth.code_reuse", app)).toBe(1);
    expect(await auditOf("oauth.revoke", app)).toBe(1);
  });

  it("of 49 redemptions with a wrong verifier and a right one, the right one succeeds, and its grant remains", {
    meta: { proves: ["decision.oauth.code"] },
  }, async () => {
    const app = await allowApp(world, world.people.editor);
    const answers = await atOnce(50, (on, index) =>
      redeem(on, app, index === 31 ? {} : { code_verifier: "b".repeat(43) }),
    );
    expect(good(answers)).toHaveLength(1);
    expect(await holderOf(answers[31]?.body.access_token)).not.toBeNull();
  });

  it("20 concurrent refreshes return the same valid successor", {
    meta: { proves: ["decision.oauth.refresh"] },
  }, async () => {
    const app = await connectApp(world, world.people.editor);
    const answers = await atOnce(20, (on) => refresh(on, app));
    expect(good(answers)).toHaveLength(20);
    const successors = new Set(answers.map(({ body }) => body.refresh_token));
    expect(successors.size).toBe(1);
    const { teamId } = world;
    const where = { teamId, grantId: app.grantId, kind: "refresh", usedAt: null };
    expect(await base.database.client.oauthToken.count({ where })).toBe(1);
    for (const { body } of answers) expect(await holderOf(body.access_token)).not.toBeNull();
    const [refreshToken] = successors;
    expect((await refresh(at(0), { ...app, refreshToken: String(refreshToken) })).status).toBe(200);
  });

  it("a chain of five concurrent refreshes ends in one valid token", async () => {
    let app: ConnectedApp = await connectApp(world, world.people.editor);
    for (let depth = 0; depth < 5; depth += 1) {
      const answers = await atOnce(6, (on) => refresh(on, app));
      expect(new Set(answers.map(({ body }) => body.refresh_token)).size).toBe(1);
      app = { ...app, refreshToken: String(answers[0]?.body.refresh_token) };
    }
    const where = { teamId: world.teamId, grantId: app.grantId, kind: "refresh", usedAt: null };
    expect(await base.database.client.oauthToken.count({ where })).toBe(1);
  });

  it("after a response to a revocation, no token of the grant is valid, even with concurrent refreshes", {
    meta: { proves: ["decision.oauth.revocation"] },
  }, async () => {
    for (let round = 0; round < 8; round += 1) {
      const app = await connectApp(world, world.people.editor);
      const [answers] = await Promise.all([
        atOnce(6, (on) => refresh(on, app)),
        atOnce(2, (on) => revoke(on, app.clientId, app.refreshToken)),
      ]);
      expect((await grantOf(app)).revokedAt).not.toBeNull();
      for (const { status, body } of answers) {
        if (status === 200) expect(await holderOf(body.access_token)).toBeNull();
        else expect([status, body.error]).toEqual([400, "invalid_grant"]);
      }
      expect(await holderOf(app.accessToken)).toBeNull();
      expect(await auditOf("oauth.revoke", app)).toBe(1);
    }
  });

  it("a code that is redeemed while its grant ends returns no valid token", async () => {
    for (let round = 0; round < 8; round += 1) {
      const app = await allowApp(world, world.people.editor);
      const { teamId } = world;
      const [answer] = await Promise.all([
        redeem(at(round), app),
        base.database.transaction((tx) =>
          endGrant(tx, { teamId, grantId: app.grantId, reason: "token_revoked", now: new Date() }),
        ),
      ]);
      expect([200, 400]).toContain(answer.status);
      expect(await holderOf(answer.body.access_token)).toBeNull();
      expect((await refresh(at(0), { ...app, refreshToken: String(answer.body.refresh_token) })).status).toBe(400);
    }
  });

  it("a repeated redemption during the user's suspension is invalid_grant, and the grant ends once", async () => {
    const { service, teamId, people } = world;
    for (let round = 0; round < 4; round += 1) {
      const email = `leaves-${round}-${teamId.slice(-12)}@example.org`;
      const { id } = await admin.createUser(service, { email, name: "Leaves", group: "Editors", team: teamId });
      const app = await allowApp(world, { ...people.editor, id, email });
      expect((await redeem(at(round), app)).status).toBe(200);
      const [again] = await Promise.all([redeem(at(round + 1), app), admin.suspendUser(service, email)]);
      expect([again.status, again.body.error]).toEqual([400, "invalid_grant"]);
      expect((await grantOf(app)).revokedAt).not.toBeNull();
      expect(await auditOf("oauth.revoke", app)).toBe(1);
    }
  });

  it("an unavailable database is 503 with Retry-After in the protocol's format, and nothing is used up", async () => {
    const app = await connectApp(world, world.people.editor);
    const away = instance(authorization.keys, "postgresql://nobody:nothing@127.0.0.1:1/away");
    for (const answer of [await refresh(away, app), await revoke(away, app.clientId, app.refreshToken)]) {
      expect([answer.status, answer.body.error]).toEqual([503, "temporarily_unavailable"]);
      expect(Number(answer.headers.get("Retry-After"))).toBeGreaterThan(0);
      expect(answer.headers.get("Cache-Control")).toBe("no-store");
    }
    expect((await refresh(at(0), app)).status).toBe(200);
  });

  it("an instance that crashes before its commit uses nothing up, and the client can retry", {
    meta: { proves: ["decision.oauth.refresh"] },
  }, async () => {
    const code = await allowApp(world, world.people.editor);
    const app = await connectApp(world, world.people.editor);
    const dying = openDatabase({ url: base.url, applicationName: "kb-dying" });
    // The server undoes its work when the connection ends, as after `kill -9`.
    const half = dying.transaction(async (tx) => {
      const { teamId } = world;
      await tx.execute(sql`UPDATE oauth_codes SET "usedAt" = now() WHERE "teamId" = ${teamId}::uuid`);
      await tx.execute(sql`UPDATE oauth_tokens SET "usedAt" = now() WHERE "teamId" = ${teamId}::uuid`);
      await base.database.acrossTeams.rows(
        sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'kb-dying'`,
      );
      await tx.rows(sql`SELECT 1`);
    });
    await expect(half).rejects.toThrow();
    await dying.close();
    expect((await redeem(at(0), code)).status).toBe(200);
    expect((await refresh(at(1), app)).status).toBe(200);
  });
});

describe("a rotation of the token secret", () => {
  const old = "the secret that was, of a length";
  const next = "the secret that is, of a length";

  it("keeps tokens and codes of the previous secret valid while it is configured, and issues new ones under the new secret", {
    meta: { proves: ["decision.oauth.tokens"] },
  }, async () => {
    const before = oauthKeys({ secret: old });
    const both = oauthKeys({ secret: next, previous: old });
    const after = oauthKeys({ secret: next });
    const oldWorld = { ...world, service: { ...world.service, oauth: { ...world.service.oauth, keys: before } } };
    const app = await connectApp(oldWorld, world.people.editor);
    const allowed = await allowApp(oldWorld, world.people.editor);
    const { database, clock, appUrl } = world.service;
    const holder = (token: unknown, keys = both) =>
      authenticateAccessToken(database, String(token), { keys, resource: `${appUrl}/api/mcp`, now: clock.now() });
    expect(await holder(app.accessToken)).not.toBeNull();
    expect(await holder(app.accessToken, after)).toBeNull();
    const between = instance(both);
    const later = instance(after);
    expect((await redeem(between, allowed)).status).toBe(200);
    const rotated = await refresh(between, app);
    expect(rotated.status).toBe(200);
    // A lost answer is sent again, also across the change.
    expect((await refresh(between, app)).body.refresh_token).toBe(rotated.body.refresh_token);
    expect(await holder(rotated.body.access_token, after)).not.toBeNull();
    const held = { ...app, refreshToken: String(rotated.body.refresh_token) };
    expect((await refresh(later, held)).status).toBe(200);
    expect((await refresh(later, app)).body.error).toBe("invalid_grant");
  });
});
