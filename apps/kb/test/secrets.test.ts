import { createApi } from "@kb/api";
import { sealer } from "@kb/auth";
import { flushAudit, operations } from "@kb/core";
import { allowApp, createWorld, testRedirectUri, testVerifier, type World } from "@kb/core/testing";
import { type Database, raw } from "@kb/db";
import { type TestDatabase, testDatabase } from "@kb/db/testing";
import { clientIp, openStreaming } from "@kb/http";
import { type ApiClient, api, type One } from "@kb/http/testing";
import { createMcp, mcpPaths } from "@kb/mcp";
import { createOauth, oauthPaths } from "@kb/oauth";
import { guardedFetch } from "@kb/outgoing";
import { createLifecycle, createLogger, processLimiter } from "@kb/runtime";
import { openTelemetry, type Telemetry } from "@kb/telemetry";
import { type Collector, startCollector } from "@kb/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readSettings } from "../src/env.ts";
import { compose } from "../src/start/compose.ts";

const secret = "5f0c9d1be7a34286a9b1c7d20e4f68135f0c9d1b";
const origin = "http://localhost:3000";
const typed = {
  password: "the-present-password-of-the-admin",
  next: "the-next-password-of-the-admin",
  intoTheWrongField: "a-password-typed-as-an-address",
  guessed: "a-guess-that-is-almost-the-password",
};

describe("stored and logged data", () => {
  const lines: string[] = [];
  /** Every secret that was made or sent, under what it is. */
  const secrets = new Map<string, string>(Object.entries(typed));
  let collector: Collector;
  let telemetry: Telemetry;
  let base: TestDatabase;
  let world: World;
  let closeMcp: () => void;
  let fetch: (request: Request) => Promise<Response>;
  beforeAll(async () => {
    collector = await startCollector();
    const told = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_EXPORTER_OTLP_PROTOCOL: "http/json" };
    const settings = readSettings({ ...told, METRICS_PORT: "0" }).telemetry;
    const silent = createLogger({ app: "kb", level: "silent" });
    telemetry = await openTelemetry(settings, { service: "kb", version: "0.0.0-test", logger: silent });
    base = await testDatabase({ telemetry });
    const destination = { write: (line: string) => lines.push(line) };
    const logger = createLogger({ app: "kb", level: "trace", destination });
    world = await createWorld(base.database);
    const service = { ...world.service, sealer: sealer(secret, "webhooks"), telemetry };
    const edge = { service, logger, lifecycle: createLifecycle(), clientIp: clientIp([]) };
    const rest = createApi({ ...edge, limiter: processLimiter(), perMinute: 1_000_000 });
    const { oauth: tokens } = world.service;
    const authorization = { ...tokens, registerPerHour: 20, tokenPerMinute: 60 };
    const oauth = createOauth({ ...edge, limiter: processLimiter(), secret, authorization });
    const streaming = openStreaming(service, edge);
    const mcp = createMcp({
      ...edge,
      streaming,
      limiter: processLimiter(),
      perMinute: 1_000_000,
      oauthKeys: tokens.keys,
      outgoing: guardedFetch(),
    });
    const parts = [
      { paths: oauthPaths, answer: oauth.fetch },
      { paths: mcpPaths, answer: mcp.app.fetch },
    ];
    const whole = compose(parts, rest.fetch);
    closeMcp = () => {
      streaming.close();
      mcp.close();
    };
    fetch = async (request) => {
      const answer = await whole(request, Object.create(null));
      if (answer instanceof Response) return answer;
      throw new Error("no answer");
    };
    await useEverySecret();
    await connectApps();
    await flushAudit(service);
  });
  afterAll(async () => {
    closeMcp();
    await base.drop();
  });

  /** Sends the log-in form as a browser does; returns the cookies afterwards. */
  async function logIn(email: string, password: string): Promise<Map<string, string>> {
    const cookies = new Map<string, string>();
    const keep = (answer: Response): void => {
      for (const line of answer.headers.getSetCookie()) {
        const [pair = ""] = line.split(";");
        cookies.set(pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1));
      }
    };
    const page = await fetch(new Request(`${origin}/login`));
    keep(page);
    const csrf = /name="csrf" value="([^"]+)"/.exec(await page.text())?.[1] ?? "";
    const headers = { Origin: origin, Cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; ") };
    const body = new URLSearchParams({ csrf, email, password, return_to: "/" });
    keep(await fetch(new Request(`${origin}/login`, { method: "POST", headers, body })));
    for (const [name, value] of cookies) secrets.set(`${name} of ${email}`, value);
    secrets.set(`form token of ${email}`, csrf);
    return cookies;
  }

  async function useEverySecret(): Promise<void> {
    const { admin } = await import("@kb/core");
    const { email, key } = world.people.admin;
    await admin.setPassword(world.service, email, typed.password);
    await logIn(typed.intoTheWrongField, typed.guessed);
    await logIn(email, typed.guessed);
    const token = (await logIn(email, typed.password)).get("kb_session") ?? "";
    const cookie = `kb_session=${token}`;
    const me = await api({ fetch }, null).send<One<{ csrfToken: string }>>("POST", "/api/auth.me", {
      headers: { Cookie: cookie },
    });
    const csrf = me.body.data.csrfToken;
    secrets.set("everyday key", key);
    secrets.set("CSRF token", csrf);
    const app = api({ fetch }, { id: "", token, cookie, csrf });
    await makeInApp(app);
    const change = { currentPassword: typed.password, newPassword: typed.next };
    expect((await app.post<object>("/api/auth.changePassword", change)).status).toBe(200);
    // Keys that are sent wrongly are secrets all the same.
    await api({ fetch }, `${key}x`).get("/api/v1/me");
    await api({ fetch }, key).get<object>(`/api/v1/documents?title=${key}`);
    await api({ fetch }, key).get(`/api/v1/${key}`);
  }

  /** An app is registered, allowed, has its tokens, rotates them, uses them rightly and wrongly, and revokes one. */
  async function connectApps(): Promise<void> {
    const { admin } = await import("@kb/core");
    await admin.setMcp(world.service, world.teamId, true);
    const registration = await fetch(
      new Request(`${origin}/oauth/register`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ client_name: "Server", redirect_uris: [testRedirectUri] }),
      }),
    );
    const { client_id: clientId, client_secret: clientSecret } = await registration.json();
    const app = await allowApp(world, world.people.editor, { clientId });
    const send = async (path: string, sent: Record<string, string>): Promise<Record<string, string>> => {
      const body = new URLSearchParams({ client_id: clientId, client_secret: clientSecret, ...sent });
      const answer = await fetch(new Request(`${origin}/oauth/${path}`, { method: "POST", body }));
      const text = await answer.text();
      return text === "" ? {} : JSON.parse(text);
    };
    const redeem = { grant_type: "authorization_code", code: app.code, code_verifier: testVerifier };
    await send("token", { ...redeem, code_verifier: `${testVerifier}x` });
    const first = await send("token", redeem);
    const rotate = { grant_type: "refresh_token", refresh_token: String(first.refresh_token) };
    const second = await send("token", rotate);
    const again = await send("token", rotate);
    for (const [what, { access_token: access = "", refresh_token: next = "" }] of Object.entries({
      first,
      second,
      again,
    })) {
      secrets.set(`access token, ${what}`, access);
      secrets.set(`refresh token, ${what}`, next);
    }
    Object.entries({ code: app.code, clientSecret, verifier: testVerifier }).forEach(([what, value]) => {
      secrets.set(what, value);
    });
    const initialize = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} };
    for (const token of [String(second.access_token), `${again.access_token}x`, app.code]) {
      const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
      await fetch(new Request(`${origin}/api/mcp`, { method: "POST", headers, body: JSON.stringify(initialize) }));
      await fetch(new Request(`${origin}/api/v1/me?access_token=${token}`, { headers }));
    }
    await send("revoke", { token: String(second.access_token) });
  }

  async function makeInApp(app: ApiClient): Promise<void> {
    const collectionIds = [world.collections.open];
    const created = async <Body>(name: string, input: object): Promise<Body> => {
      const { status, body } = await app.post<One<Body>>(`/api/${name}`, input);
      expect(status, name).toBe(201);
      return body.data;
    };
    const { key } = await created<{ key: string }>("apiKeys.create", { name: "Another", scopes: ["read", "admin"] });
    const channel = await created<{ id: string }>("channels.create", { name: "Site", collectionIds });
    const { token } = await created<{ token: string }>("channelTokens.create", { channelId: channel.id, name: "Site" });
    const hook = { url: "https://hooks.example.com/x", events: ["*"] };
    const webhook = await created<{ id: string; secret: string }>("webhooks.create", hook);
    const invited = await created<{ password: string }>("users.invite", { email: "invited@example.org" });
    secrets.set("key made in the app", key);
    secrets.set("channel token", token);
    secrets.set("webhook secret", webhook.secret);
    secrets.set("password that was made up", invited.password);
    expect((await api({ fetch }, key).get<object>("/api/v1/me")).status).toBe(200);
    await api({ fetch }, token).get<object>(`/api/published/${channel.id}/documents`);
  }

  it("every operation that returns a secret was called", () => {
    expect(
      Object.keys(operations).filter((name) => /^(create(ApiKey|ChannelToken|Webhook)|inviteUser)$/.test(name)),
    ).toHaveLength(4);
    expect(secrets.size).toBeGreaterThanOrEqual(24);
    for (const [what, value] of secrets) expect(value.length, what).toBeGreaterThan(15);
  });

  it("a dump of the database contains no usable secret", {
    meta: { proves: ["decision.access.no-usable-secret"] },
  }, async () => {
    const dump = await dumpOf(base.database);
    // It holds what it should: the addresses of people, and the prefixes that lists of keys show.
    expect(dump).toContain(world.people.admin.email);
    expect(dump).toContain(secrets.get("channel token")?.slice(0, 8));
    for (const [what, value] of secrets) {
      for (const form of formsOf(value)) expect(dump.includes(form), `${what} is in the dump`).toBe(false);
    }
  });

  it("no span and no metric contains a secret, a person or any content", {
    meta: { proves: ["decision.access.no-usable-secret", "decision.running.traces", "decision.running.metrics"] },
  }, async () => {
    const metrics = await (await globalThis.fetch(`http://127.0.0.1:${telemetry.metricsPort}/metrics`)).text();
    await telemetry.close();
    const spans = collector.bodies.map(({ text }) => text).join("");
    expect(metrics).toContain("http_server_request_duration_seconds_count");
    expect(collector.spans.length).toBeGreaterThan(15);
    expect(spans).toContain("POST /login");
    const { admin: boss } = world.people;
    const personal = [boss.email, boss.name, boss.id, world.teamId, "invited@example.org", "hooks.example.com"];
    for (const value of [...secrets.values(), ...personal]) {
      expect(metrics.includes(value), `${value} is in a measurement`).toBe(false);
      expect(spans.includes(value), `${value} is in a span`).toBe(false);
    }
  });

  it("no log line contains a secret at any level", {
    meta: { proves: ["decision.access.no-usable-secret"] },
  }, () => {
    const log = lines.join("");
    expect(lines.length).toBeGreaterThan(15);
    for (const route of ["/login", "/oauth/token", "/oauth/revoke", "/api/mcp"]) expect(log).toContain(`"${route}"`);
    for (const [what, value] of secrets) expect(log.includes(value), `${what} is in the log`).toBe(false);
  });
});

/** Every row of every table, as text; bytes are in hexadecimal digits. */
async function dumpOf({ acrossTeams }: Database): Promise<string> {
  const tables = await acrossTeams.rows<{ name: string }>(
    raw("SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'"),
  );
  const rows = await Promise.all(
    tables.map(({ name }) =>
      acrossTeams.rows<{ text: string }>(raw(`SELECT to_jsonb(t)::text AS text FROM "${name}" t`)),
    ),
  );
  return rows
    .flat()
    .map(({ text }) => text)
    .join("\n");
}

/** How a secret could stand in a dump: as it is, and its bytes. */
function formsOf(value: string): string[] {
  const plain = value.replace(/^whsec_/, "");
  const bytes = [Buffer.from(value), Buffer.from(plain), Buffer.from(plain, "base64url"), Buffer.from(plain, "base64")];
  return [
    value,
    plain,
    ...bytes.flatMap((of) => [of.toString("hex"), of.toString("base64"), of.toString("base64url")]),
  ];
}
