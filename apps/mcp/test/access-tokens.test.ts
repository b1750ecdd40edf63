import { hashToken, oauthKeys, rotateRefreshToken } from "@kb/auth";
import { admin, endGrant } from "@kb/core";
import { type ConnectedApp, type Consent, connectApp, type Person, testSecret } from "@kb/core/testing";
import { fewestOf, testClock } from "@kb/testing";
import { startStopwatch } from "@kb/testing/event-loop-time";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Instance, startInstance } from "./setting.ts";
import { bearer, beginSession, initialize, letIn, type McpWorld, openWorld, ping, post } from "./world.ts";

const keys = oauthKeys({ secret: testSecret });
const clock = testClock();
const statements: string[] = [];
let opened: McpWorld;
/** Another instance over the same database. */
let other: Instance;
let url: URL;

beforeAll(async () => {
  opened = await openWorld({ clock, oauthKeys: keys, onQuery: (text) => statements.push(text) });
  const { url: own } = opened.instance;
  url = own;
  other = await startInstance({ database: opened.world.service.database, clock, oauthKeys: keys, appUrl: own.origin });
});
afterAll(async () => {
  await other?.close();
  await opened?.close();
});

const connect = (consent: Consent = {}, person: Person = opened.world.people.editor): Promise<ConnectedApp> =>
  connectApp(opened.world, person, { resource: url.href, ...consent });

const modern = <Params extends object>(method: string, params: Params, name?: string) => ({
  headers: {
    "MCP-Protocol-Version": "2026-07-28",
    "Mcp-Method": method,
    ...(name === undefined ? {} : { "Mcp-Name": name }),
  },
  message: {
    jsonrpc: "2.0",
    id: 1,
    method,
    params: {
      ...params,
      _meta: {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { name: "test", version: "1.0.0" },
        "io.modelcontextprotocol/clientCapabilities": {},
      },
    },
  },
});

const toolCall = (name: string, input: object) => modern("tools/call", { name, arguments: input }, name);
const list = () => toolCall("list_collections", {});
const create = () =>
  toolCall("create_document", { collectionId: opened.world.collections.open, markdown: "By an app." });

const send = (at: URL, { headers, message }: ReturnType<typeof modern<object>>, token: string): Promise<Response> =>
  post(at, message, { ...bearer(token), ...headers });

describe("an access token", () => {
  it("works in both eras, as the user and the app", {
    meta: { proves: ["mcp.credentials", "oauth.access-token"] },
  }, async () => {
    const { accessToken } = await connect();
    expect((await send(url, list(), accessToken)).status).toBe(200);
    const session = await beginSession(url, accessToken);
    expect((await post(url, ping, session)).status).toBe(200);
    const made = await send(url, create(), accessToken);
    const { id } = (await made.json()).result.structuredContent;
    const { teamId, service, people } = opened.world;
    const where = { teamId_id: { teamId, id } };
    const { createdById } = await service.database.client.document.findUniqueOrThrow({ where });
    expect(createdById).toBe(people.editor.id);
    const event = await service.database.client.event.findFirstOrThrow({ where: { teamId, documentId: id } });
    expect(event.actor).toMatchObject({ type: "app", name: "Example Assistant" });
  });

  it("is known by one statement, in which the team's switch is read too; so is a key", {
    meta: { proves: ["decision.oauth.tokens"] },
  }, async () => {
    const { accessToken } = await connect();
    for (const token of [accessToken, opened.world.people.editor.key]) {
      // Its last use is recorded once a minute.
      await send(url, modern("tools/list", {}), token);
      const fewest = await fewestOf(async () => {
        statements.length = 0;
        expect((await send(url, modern("tools/list", {}), token)).status).toBe(200);
        return statements.length;
      });
      expect(fewest).toBe(1);
    }
  });

  it("RFC 8707: of another server, or of another path of this one, is 401 invalid_token", {
    meta: { proves: ["decision.oauth.audience"] },
  }, async () => {
    for (const resource of ["https://other.example/api/mcp", `${url.origin}/api`, `${url.href}/`]) {
      const { accessToken } = await connect({ resource });
      const answer = await send(url, list(), accessToken);
      expect(answer.status).toBe(401);
      const metadata = `${url.origin}/.well-known/oauth-protected-resource/api/mcp`;
      expect(answer.headers.get("WWW-Authenticate")).toBe(
        `Bearer error="invalid_token", resource_metadata="${metadata}", scope="read write"`,
      );
    }
  });

  it("RFC 6750 §3.1: a refresh token, a code and a token in the address are none", async () => {
    const { refreshToken, code, accessToken } = await connect();
    for (const token of [refreshToken, code]) expect((await send(url, list(), token)).status).toBe(401);
    const { headers, message } = list();
    expect((await post(new URL(`?access_token=${accessToken}`, url), message, headers)).status).toBe(401);
  });

  it("goes on with the session of its grant, whichever token of it comes; another grant's does not", {
    meta: { proves: ["decision.oauth.tokens"] },
  }, async () => {
    const app = await connect();
    const session = await beginSession(url, app.accessToken);
    const { database } = opened.world.service;
    const rotated = await rotateRefreshToken(database, app.refreshToken, {
      ...opened.world.service.oauth,
      now: clock.now(),
      check: ({ scopes }) => scopes,
      endGrant: () => Promise.reject(new Error("it was used")),
    });
    if (rotated.kind !== "issued") throw new Error("no tokens");
    expect((await post(url, ping, { ...session, ...bearer(rotated.tokens.accessToken) })).status).toBe(200);
    const another = await connect();
    const ofAnotherUser = await connect({ clientId: app.clientId }, opened.world.people.viewer);
    const { key } = opened.world.people.editor;
    for (const token of [another.accessToken, ofAnotherUser.accessToken, key]) {
      expect((await post(url, ping, { ...session, ...bearer(token) })).status).toBe(404);
    }
  });
});

describe("a token that may only read", () => {
  it("RFC 6750 §3.1: a call of a tool that writes is 403 and names the scope to ask for, in both eras", {
    meta: { proves: ["decision.oauth.step-up", "mcp.write-scope"] },
  }, async () => {
    const { accessToken } = await connect({ scopes: ["read"] });
    expect((await send(url, list(), accessToken)).status).toBe(200);
    const session = await beginSession(url, accessToken);
    const { name, arguments: input } = create().message.params;
    const inSession = { jsonrpc: "2.0", id: 2, method: "tools/call", params: { name, arguments: input } };
    for (const answer of [await send(url, create(), accessToken), await post(url, inSession, session)]) {
      expect(answer.status).toBe(403);
      const challenge = answer.headers.get("WWW-Authenticate") ?? "";
      expect(challenge).toMatch(/^Bearer /);
      for (const part of ['error="insufficient_scope"', 'scope="read write"']) expect(challenge).toContain(part);
      expect(challenge).toContain(`resource_metadata="${url.origin}/.well-known/oauth-protected-resource/api/mcp"`);
    }
  });

  it("the same app with a token that may write does it, and goes on with its session: the user was asked again", {
    meta: { proves: ["decision.oauth.step-up"] },
  }, async () => {
    const reader = await connect({ scopes: ["read"] });
    const session = await beginSession(url, reader.accessToken);
    const writer = await connect({ scopes: ["read", "write"], clientId: reader.clientId });
    expect((await (await send(url, create(), writer.accessToken)).json()).result.isError).toBeUndefined();
    const { name, arguments: input } = create().message.params;
    const inSession = { jsonrpc: "2.0", id: 2, method: "tools/call", params: { name, arguments: input } };
    const goesOn = () => post(url, inSession, { ...session, ...bearer(writer.accessToken) });
    expect((await goesOn()).status).toBe(200);
    // Sessions of the first grant end with it.
    await opened.world.service.database.transaction((tx) =>
      endGrant(tx, {
        teamId: opened.world.teamId,
        grantId: reader.grantId,
        reason: "token_revoked",
        now: clock.now(),
      }),
    );
    expect((await goesOn()).status).toBe(404);
  });

  it("an API key without the scope gets a tool's error instead: nobody can ask for more", async () => {
    const key = await opened.world.key(opened.world.people.editor, ["read"]);
    const answer = await send(url, create(), key);
    expect(answer.status).toBe(200);
    expect((await answer.json()).result).toMatchObject({ isError: true, _meta: { code: "READ_ONLY" } });
  });
});

describe("at once, on every instance: the next request is refused, and what is open ends within a second", () => {
  const team = () => opened.world.teamId;
  const database = () => opened.world.service.database;
  /** Each case uses its own person, because the loss of access is permanent. */
  const joined = async (name: string): Promise<Person> => {
    const { service, teamId, people } = opened.world;
    const email = `${name}-${teamId.slice(-12)}@example.org`;
    const { id } = await admin.createUser(service, { email, name, group: "Editors", team: teamId });
    return { ...people.editor, id, email, name };
  };
  const endings: [string, (app: ConnectedApp, person: Person) => Promise<unknown>][] = [
    [
      "when the grant is revoked",
      ({ grantId }) =>
        database().transaction((tx) =>
          endGrant(tx, { teamId: team(), grantId, reason: "token_revoked", now: clock.now() }),
        ),
    ],
    [
      "when only the access token is revoked",
      ({ accessToken }) =>
        database().client.oauthToken.deleteMany({ where: { teamId: team(), hash: keys.hash(accessToken) } }),
    ],
    ["when the user is suspended", (_app, { email }) => admin.suspendUser(opened.world.service, email)],
    [
      "when the user's password is set anew",
      (_app, { email }) => admin.setPassword(opened.world.service, email, "another password of theirs"),
    ],
    ["when the team switches MCP off", () => admin.setMcp(opened.world.service, team(), false)],
    ["when the access token runs out", async () => clock.advance(3_600_000)],
  ];

  it.each(endings)("%s", { meta: { proves: ["decision.oauth.ends"] } }, async (name, end) => {
    // A session that starts at the moment of a switch has ended with it.
    clock.advance(1_000);
    const person = await joined(name.replaceAll(/\W+/g, "-").toLowerCase());
    const app = await connect({}, person);
    const listening = modern("subscriptions/listen", { notifications: { resourcesListChanged: true } });
    const streams = await Promise.all(
      [url, other.url].flatMap((at) => [
        beginSession(at, app.accessToken).then((headers) => fetch(at, { headers })),
        send(at, listening, app.accessToken),
      ]),
    );
    expect(streams.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const ended = Promise.all(streams.map((stream) => stream.text()));
    await new Promise((later) => setTimeout(later, 300));
    const elapsedMs = startStopwatch();
    await end(app, person);
    for (const at of [url, other.url]) expect((await send(at, list(), app.accessToken)).status).toBe(401);
    await ended;
    expect(elapsedMs()).toBeLessThan(1_500);
    await letIn(opened.world, true);
  });

  it("other tokens of the grant, and other grants, go on when one access token is revoked", async () => {
    const app = await connect();
    const neighbour = await connect();
    await database().client.oauthToken.deleteMany({ where: { teamId: team(), hash: keys.hash(app.accessToken) } });
    expect((await send(url, list(), neighbour.accessToken)).status).toBe(200);
  });
});

describe("where no app may connect", () => {
  it("MCP_OAUTH_ENABLED=false: a token is nobody, and the 401 names no metadata", {
    meta: { proves: ["decision.oauth.off"] },
  }, async () => {
    const { accessToken } = await connect();
    const without = await startInstance({ database: opened.world.service.database, clock, appUrl: url.origin });
    const answer = await send(without.url, list(), accessToken);
    expect([answer.status, answer.headers.get("WWW-Authenticate")]).toEqual([
      401,
      'Bearer error="invalid_token", scope="read write"',
    ]);
    await without.close();
  });

  it("a token hashed as keys are, without the secret, is not found: a copy of the database makes no token", async () => {
    const { accessToken } = await connect();
    const { client } = opened.world.service.database;
    expect(await client.oauthToken.count({ where: { teamId: team(), hash: hashToken(accessToken) } })).toBe(0);
    const another = await startInstance({
      database: opened.world.service.database,
      clock,
      appUrl: url.origin,
      oauthKeys: oauthKeys({ secret: "another secret" }),
    });
    expect((await send(another.url, list(), accessToken)).status).toBe(401);
    expect((await post(another.url, initialize(), bearer(accessToken))).status).toBe(401);
    await another.close();
  });
  const team = () => opened.world.teamId;
});
