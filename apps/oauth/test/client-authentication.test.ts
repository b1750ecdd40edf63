import { anyCharacter } from "@kb/testing/characters";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Answer, ask, registerClient } from "./programs.ts";
import { authorization, openSetting, type Setting } from "./setting.ts";

const redirect_uris = ["https://app.example.com/callback"];

let setting: Setting;
let open: { id: string };
let secret: { id: string; secret: string };
beforeAll(async () => {
  // A limit that no test here reaches.
  setting = await openSetting({
    authorization: { ...authorization, tokenPerMinute: 1_000_000, registerPerHour: 1_000_000 },
  });
  open = { id: await registered("none") };
  const { body } = await registerClient(setting, { redirect_uris });
  secret = { id: String(body.client_id), secret: String(body.client_secret) };
});
afterAll(() => setting.close());

async function registered(method: string): Promise<string> {
  const { body } = await registerClient(setting, { redirect_uris, token_endpoint_auth_method: method });
  return String(body.client_id);
}

const basic = (id: string, password: string) => ({
  Authorization: `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(password)}`).toString("base64")}`,
});

/** Revokes a token that there is not: 200 for a client that showed who it is. */
const send = (parameters: Record<string, string> | string, headers: Record<string, string> = {}): Promise<Answer> =>
  ask(setting, "/oauth/revoke", {
    method: "POST",
    headers: { "Content-Type": "application/x-www-form-urlencoded", ...headers },
    body: typeof parameters === "string" ? parameters : new URLSearchParams({ token: "x", ...parameters }).toString(),
  });

const refusal = ({ status, headers, body }: Answer) => [status, body.error, headers.get("WWW-Authenticate")];
const challenge = 'Basic realm="oauth", charset="UTF-8"';

describe("client authentication (OAuth 2.1 §2.4)", () => {
  it("uses the id of a public client, and Basic or the form for a secret, as registered", async () => {
    expect((await send({ client_id: open.id })).status).toBe(200);
    expect((await send({}, basic(open.id, ""))).status).toBe(200);
    expect((await send({}, basic(secret.id, secret.secret))).status).toBe(200);
    expect((await send({ client_id: secret.id }, basic(secret.id, secret.secret))).status).toBe(200);
    expect((await send({ client_id: secret.id, client_secret: secret.secret })).status).toBe(200);
  });

  it("RFC 9110 §11.1: the scheme is case-insensitive", async () => {
    const { Authorization } = basic(secret.id, secret.secret);
    expect((await send({}, { Authorization: Authorization.replace("Basic", "bASIC") })).status).toBe(200);
  });

  it("RFC 6749 §2.3.1: Basic contains form-encoded values, so an id may contain a colon", async () => {
    const id = "https://app.example/client.json";
    const metadata = { redirectUris: redirect_uris, authentication: "none", clientUri: null };
    await setting.world.service.database.client.oauthClient.create({ data: { id, kind: "document", metadata } });
    expect((await send({}, basic(id, ""))).status).toBe(200);
    const raw = Buffer.from(`${id}:`).toString("base64");
    expect((await send({}, { Authorization: `Basic ${raw}` })).status).toBe(401);
  });

  it("RFC 6749 §5.2: 401 invalid_client for a wrong, missing or unexpected secret", async () => {
    const wrong = [
      { client_id: secret.id },
      { client_id: secret.id, client_secret: "" },
      { client_id: secret.id, client_secret: `${secret.secret}x` },
      { client_id: secret.id, client_secret: secret.secret.slice(0, -1) },
      { client_id: open.id, client_secret: "anything" },
      { client_id: "app_unknown" },
      { client_id: "" },
      {},
    ];
    for (const parameters of wrong) {
      const filled: Record<string, string> = { ...parameters };
      expect(refusal(await send(filled)), JSON.stringify(parameters)).toEqual([401, "invalid_client", null]);
    }
  });

  it("RFC 6749 §5.2: after a failed Authorization header the response MUST name its scheme", async () => {
    for (const headers of [
      basic(secret.id, "wrong"),
      basic(secret.id, ""),
      basic("app_unknown", "x"),
      { Authorization: "Basic" },
      { Authorization: "Basic !!!" },
      { Authorization: `Basic ${Buffer.from("no colon").toString("base64")}` },
      { Authorization: `Basic ${Buffer.from(":x").toString("base64")}` },
      { Authorization: `Basic ${Buffer.from("a%zz:x").toString("base64")}` },
      { Authorization: `Basic ${Buffer.from("a\0:x").toString("base64")}` },
      { Authorization: `Basic ${Buffer.from("a%00:x").toString("base64")}` },
      { Authorization: "Bearer kbat_x" },
    ]) {
      expect(refusal(await send({}, headers)), JSON.stringify(headers)).toEqual([401, "invalid_client", challenge]);
    }
  });

  it("RFC 6749 §2.3: MUST NOT use more than one method in a request", async () => {
    const both = await send({ client_id: secret.id, client_secret: secret.secret }, basic(secret.id, secret.secret));
    expect(refusal(both)).toEqual([400, "invalid_request", null]);
    expect(refusal(await send({ client_id: open.id }, basic(secret.id, secret.secret)))).toEqual([
      400,
      "invalid_request",
      null,
    ]);
  });

  it("OAuth 2.1 §2.4.1: a secret in the query is ignored", async () => {
    const query = new URLSearchParams({ client_id: secret.id, client_secret: secret.secret, token: "x" });
    const answer = await ask(setting, `/oauth/revoke?${query}`, {
      method: "POST",
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
      body: "token=x",
    });
    expect(refusal(answer)).toEqual([401, "invalid_client", null]);
  });

  it("JSON bodies and repeated parameters are invalid_request", {
    meta: { proves: ["decision.oauth.parameters"] },
  }, async () => {
    const json = await send(JSON.stringify({ client_id: open.id, token: "x" }), { "Content-Type": "application/json" });
    expect(refusal(json)).toEqual([400, "invalid_request", null]);
    const twice = await send(`token=x&client_id=${open.id}&client_id=${secret.id}`);
    expect(refusal(twice)).toEqual([400, "invalid_request", null]);
    expect(twice.body.error_description).toContain("'client_id'");
  });

  it("a secret is valid only for its own client", async () => {
    const other = await registerClient(setting, { redirect_uris });
    expect(other.body.client_id).not.toBe(secret.id);
    expect((await send({ client_id: String(other.body.client_id), client_secret: secret.secret })).status).toBe(401);
  });
});

describe("random requests", () => {
  const texts = fc.oneof(
    fc.string({ unit: anyCharacter, maxLength: 20 }),
    fc.constantFrom("", "\0", "%00", "a".repeat(5_000)),
  );

  it("token and revocation return an error of the protocol, and never a defect", async () => {
    const name = fc.constantFrom(
      "client_id",
      "client_secret",
      "token",
      "grant_type",
      "code",
      "refresh_token",
      "resource",
      "scope",
    );
    const pairs = fc.array(fc.tuple(fc.oneof(name, texts), texts), { maxLength: 6 });
    const header = fc.option(fc.oneof(texts.map((text) => `Basic ${Buffer.from(text).toString("base64")}`)), {
      nil: undefined,
    });
    await fc.assert(
      fc.asyncProperty(pairs, header, fc.constantFrom("/oauth/token", "/oauth/revoke"), async (sent, shown, path) => {
        const body = new URLSearchParams(sent).toString();
        const headers = { "Content-Type": "application/x-www-form-urlencoded" };
        const init = {
          method: "POST",
          headers: shown === undefined ? headers : { ...headers, Authorization: shown },
          body,
        };
        const { status, body: answer } = await ask(setting, path, init);
        expect([400, 401, 413]).toContain(status);
        expect(answer.error).toMatch(
          /^(invalid_request|invalid_client|invalid_grant|unsupported_grant_type|invalid_target)$/,
        );
        expect(answer.error_description).toMatch(/^[\x20\x21\x23-\x5b\x5d-\x7e]+$/);
      }),
      { numRuns: 200 },
    );
  });

  it("registration returns an error of the protocol, or exactly the metadata that it stored", async () => {
    const uri = fc.oneof(
      texts,
      fc.constantFrom("https://a.example/cb", "http://localhost/cb", "javascript:x", "com.x:/y"),
    );
    const value = fc.oneof(texts, fc.integer(), fc.constant(null), fc.array(texts, { maxLength: 2 }));
    const metadata = fc.record(
      {
        redirect_uris: fc.oneof(fc.array(uri, { maxLength: 3 }), value),
        client_name: fc.oneof(texts, value),
        client_uri: fc.oneof(uri, value),
        token_endpoint_auth_method: fc.oneof(fc.constantFrom("none", "client_secret_post"), value),
        grant_types: value,
        response_types: value,
        scope: value,
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(metadata, async (sent) => {
        const { status, body } = await registerClient(setting, sent);
        expect([201, 400, 413]).toContain(status);
        if (status === 201) expect(sent.redirect_uris).toEqual(expect.arrayContaining([...asList(body.redirect_uris)]));
        else expect(body.error).toMatch(/^(invalid_redirect_uri|invalid_client_metadata|invalid_request)$/);
      }),
      { numRuns: 300 },
    );
  });
});

function asList(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new Error("no list");
  return value;
}
