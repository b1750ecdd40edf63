import { type TestDatabase, testDatabase } from "@kb/db/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { start } from "./process.ts";
import { secret } from "./setting.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

describe("the login app as a separate process", () => {
  const environment = () => ({ DATABASE_URL: database.url, APP_URL: "http://localhost:3003", PORT: "0" });

  it("starts with only DATABASE_URL, APP_URL and APP_SECRET, and stops cleanly on SIGTERM", async () => {
    const started = start({ ...environment(), APP_SECRET: secret });
    const url = await started.listening;
    expect((await fetch(`${url}/login`)).status).toBe(200);
    expect(await (await fetch(`${url}/api/health`)).json()).toMatchObject({ status: "ok", checks: { database: "ok" } });
    started.child.kill("SIGTERM");
    expect(await started.exit).toBe(0);
    expect(started.output()).toContain('"message":"stopped"');
  });

  it("reports all problems of its environment at once, without any value", {
    meta: { proves: ["decision.running.secret", "decision.running.https"] },
  }, async () => {
    const wrong = { APP_URL: "http://wiki.example.com", APP_SECRET: "hunter2", OIDC_ISSUER: "http://id.example.com" };
    const started = start({ ...environment(), ...wrong });
    expect(await started.exit).toBe(1);
    for (const name of Object.keys(wrong)) expect(started.output()).toContain(`  ${name}: `);
    expect(started.output()).not.toContain("hunter2");
  });

  it("requires a long, random token secret, and the same of the previous one", {
    meta: { proves: ["oauth.settings", "decision.oauth.tokens"] },
  }, async () => {
    const wrong = {
      MCP_OAUTH_TOKEN_SECRET: "short",
      MCP_OAUTH_TOKEN_SECRET_PREVIOUS: "your-secret-your-secret-your-secret",
      MCP_OAUTH_ENABLED: "yes please",
      MCP_OAUTH_REFRESH_SECONDS: "30d",
    };
    const started = start({ ...environment(), APP_SECRET: secret, ...wrong });
    expect(await started.exit).toBe(1);
    for (const name of Object.keys(wrong)) expect(started.output()).toContain(`  ${name}: `);
    expect(started.output()).not.toContain("your-secret");
  });

  it("serves the authorization server unless MCP_OAUTH_ENABLED is false; then every path of it is 404", {
    meta: { proves: ["oauth.settings", "decision.oauth.off"] },
  }, async () => {
    const paths = [
      "/.well-known/oauth-authorization-server",
      "/.well-known/oauth-protected-resource",
      "/oauth/authorize",
    ];
    const statuses = async (more: Record<string, string>): Promise<number[]> => {
      const started = start({ ...environment(), APP_SECRET: secret, ...more });
      const url = await started.listening;
      const posts = ["/oauth/register", "/oauth/token", "/oauth/revoke"];
      const answers = await Promise.all([
        ...paths.map((path) => fetch(url + path, { redirect: "manual" })),
        ...posts.map((path) => fetch(url + path, { method: "POST" })),
      ]);
      started.child.kill("SIGTERM");
      await started.exit;
      return answers.map(({ status }) => status);
    };
    expect(await statuses({ MCP_OAUTH_ENABLED: "false" })).toEqual([404, 404, 404, 404, 404, 404]);
    expect(await statuses({})).not.toContain(404);
  });

  it("reports an incomplete single sign-on with its missing variables", {
    meta: { proves: ["decision.access.oidc"] },
  }, async () => {
    const partial = { OIDC_ISSUER: "https://id.example.com", OIDC_SIGN_UP_DOMAINS: "example.com" };
    const started = start({ ...environment(), APP_SECRET: secret, ...partial });
    expect(await started.exit).toBe(1);
    for (const name of ["OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET", "OIDC_CREATE_USERS"])
      expect(started.output()).toContain(`  ${name}: `);
  });
});
