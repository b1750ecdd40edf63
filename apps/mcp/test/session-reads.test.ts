import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { contentOf, currentClient, oldClient } from "./clients.ts";
import { countedOffer } from "./counted-offer.ts";
import { type Instance, startInstance } from "./setting.ts";
import { bearer, beginSession, letIn, type McpWorld, openWorld, ping, post } from "./world.ts";

// In a session, a single call of a tool that only reads is answered as JSON, without a server of the SDK. The same call in a
// batch of one is answered by the SDK, as a stream.

const statements: { readonly text: string; readonly beginsTrip: boolean }[] = [];
let opened: McpWorld;
let instance: Instance;
let servers: () => number;
let key: string;
let session: Record<string, string>;

beforeAll(async () => {
  opened = await openWorld({ onQuery: (text, _values, beginsTrip) => statements.push({ text, beginsTrip }) });
  const { service, people } = opened.world;
  const { offer, servers: made } = countedOffer(service);
  servers = made;
  instance = await startInstance({ database: service.database, appUrl: service.appUrl, offer });
  key = people.viewer.key;
});
beforeEach(async () => {
  session = await beginSession(instance.url, key);
});
afterAll(async () => {
  await instance?.close();
  await opened?.close();
});

type Params = { readonly name: string; readonly arguments?: object; readonly _meta?: object };

const callOf = (params: Params, id: unknown = 1) => ({ jsonrpc: "2.0", id, method: "tools/call", params });
const guide = () => ({ name: "get_document", arguments: { id: opened.world.documents.guide.id } });
const messagesOf = (stream: string): unknown[] =>
  [...stream.matchAll(/^data: (\{.*)$/gm)].map(([, data = ""]) => JSON.parse(data));

/** Sends a message; returns the answer, and whether a server of the SDK wrote it. */
async function send(message: unknown, headers: Record<string, string> = {}) {
  const before = servers();
  const answer = await post(instance.url, message, { ...session, ...headers });
  const { status } = answer;
  const type = answer.headers.get("Content-Type") ?? "";
  return { status, type, text: await answer.text(), headers: answer.headers, isOfSdk: servers() > before };
}

describe("a single read in a session", () => {
  it.each(["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])(
    "is answered in revision %s with the result that the SDK returns, as JSON",
    async (revision) => {
      session = await beginSession(instance.url, key, revision);
      const calls: Params[] = [
        guide(),
        { name: "search", arguments: { query: "guide" } },
        { name: "list_collections" },
        { name: "get_document", arguments: { id: "00000000-0000-7000-8000-000000000000" } },
        { name: "search", arguments: { query: 7, nonsense: {} } },
        { ...guide(), _meta: { progressToken: "a" } },
      ];
      for (const [index, params] of calls.entries()) {
        const id = index % 2 === 0 ? index : `call ${index}`;
        const direct = await send(callOf(params, id));
        const bySdk = await send([callOf(params, id)]);
        expect([direct.isOfSdk, bySdk.isOfSdk]).toEqual([false, true]);
        expect(direct.type).toBe("application/json");
        expect(direct.headers.get("Mcp-Session-Id")).toBe(session["Mcp-Session-Id"]);
        expect([JSON.parse(direct.text)]).toEqual(messagesOf(bySdk.text));
      }
    },
  );

  it("takes one round trip, which looks the key up too", async () => {
    await send(callOf(guide()));
    statements.length = 0;
    expect((await send(callOf(guide()))).text).toContain('"structuredContent"');
    const own = statements.filter(({ text }) => /FROM api_keys|JOIN document_bodies/.test(text));
    expect(own).toMatchObject([{ beginsTrip: true }, { beginsTrip: false }]);
    expect(own[0]?.text).toContain("FROM api_keys");
  });

  it("is not answered in another's session, in one that has ended, nor in one from before MCP was switched off", async () => {
    const foreign = await post(instance.url, callOf(guide()), { ...session, ...bearer(opened.world.people.admin.key) });
    expect(foreign.status).toBe(404);
    await fetch(instance.url, { method: "DELETE", headers: session });
    expect(await send(callOf(guide()))).toMatchObject({ status: 404 });
    expect(await send(callOf(guide()), { "Mcp-Session-Id": "A".repeat(32) })).toMatchObject({ status: 404 });
    session = await beginSession(instance.url, key);
    await letIn(opened.world, false);
    try {
      expect(await send(callOf(guide()))).toMatchObject({ status: 403 });
    } finally {
      await letIn(opened.world, true);
    }
    expect(await send(callOf(guide()))).toMatchObject({ status: 200 });
  });

  it("is refused with a key that was revoked since the last call, and nothing is answered", async () => {
    const { people, teamId, service } = opened.world;
    await send(callOf(guide()));
    const where = { teamId_id: { teamId, id: people.viewer.actor.credential.id } };
    const { apiKey } = service.database.client;
    await apiKey.update({ where, data: { revokedAt: new Date() } });
    try {
      const refused = await send(callOf(guide()));
      expect(refused.status).toBe(401);
      expect(refused.text).not.toContain("structuredContent");
    } finally {
      await apiKey.update({ where, data: { revokedAt: null } });
    }
  });

  it("is read by both SDKs, with and without progress", async () => {
    const before = servers();
    const old = await oldClient(instance.url, key);
    const current = await currentClient(instance.url, key, "legacy");
    await old.client.listTools();
    const started = servers();
    expect(started).toBeGreaterThan(before);
    const found = [
      await old.client.callTool(guide()),
      await old.client.callTool(guide(), undefined, { onprogress: () => {} }),
      await current.client.callTool(guide()),
      await current.client.callTool(guide(), { onprogress: () => {} }),
    ];
    for (const result of found) expect(contentOf(result)).toMatchObject({ title: "Guide" });
    expect(servers()).toBe(started);
    await old.close();
    await current.close();
  });
});

it("a call with a broken token of progress is refused", async () => {
  expect(await send(callOf({ ...guide(), _meta: { progressToken: {} } }))).toMatchObject({ status: 400 });
});

describe("the SDK answers", () => {
  it.each<[string, () => unknown, Record<string, string>?]>([
    ["a ping", () => ping],
    ["a call of a tool that changes something", () => callOf({ name: "delete_document", arguments: { id: "x" } })],
    ["a call of an unknown tool", () => callOf({ name: "nonsense", arguments: {} })],
    ["a call with other metadata", () => callOf({ ...guide(), _meta: { other: true } })],
    ["a call that is a task", () => ({ ...callOf(guide()), params: { ...guide(), task: {} } })],
    ["a call of a client that accepts only JSON", () => callOf(guide()), { Accept: "application/json" }],
  ])("%s", async (_, message, headers = {}) => {
    expect((await send(message(), headers)).isOfSdk).toBe(true);
  });
});
