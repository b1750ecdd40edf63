import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { countedOffer } from "./counted-offer.ts";
import { type Instance, startInstance } from "./setting.ts";
import { bearer, type McpWorld, openWorld, post } from "./world.ts";

// A call whose envelope the SDK has accepted before is answered without a server of the SDK. The first of two equal calls
// is answered by the SDK, the second one directly.

const revision = "2026-07-28";
let opened: McpWorld;
let instance: Instance;
let servers: () => number;

beforeAll(async () => {
  opened = await openWorld();
  const { service } = opened.world;
  const { offer, servers: made } = countedOffer(service);
  servers = made;
  instance = await startInstance({ database: service.database, appUrl: service.appUrl, offer });
});
afterAll(async () => {
  await instance?.close();
  await opened?.close();
});

let clients = 0;
/** An envelope that no call has had before. */
function newEnvelope(): Record<string, unknown> {
  clients += 1;
  return {
    "io.modelcontextprotocol/protocolVersion": revision,
    "io.modelcontextprotocol/clientInfo": { name: `client ${clients}`, version: "1.0.0" },
    "io.modelcontextprotocol/clientCapabilities": { elicitation: {} },
  };
}

type Call = {
  readonly meta: Record<string, unknown>;
  readonly id?: unknown;
  readonly headers?: Record<string, string>;
};

const params = { name: "get_document", arguments: {} };

/** Sends a call; returns the answer, and whether a server of the SDK wrote it. */
async function call(given: { name: string; arguments: object }, { meta, id = "a", headers = {} }: Call) {
  const before = servers();
  const message = { jsonrpc: "2.0", id, method: "tools/call", params: { ...given, _meta: meta } };
  const standard = { "MCP-Protocol-Version": revision, "Mcp-Method": "tools/call", "Mcp-Name": given.name };
  const answer = await post(instance.url, message, {
    ...bearer(opened.world.people.viewer.key),
    ...standard,
    ...headers,
  });
  const varying = new Set(["date", "x-request-id", "x-ratelimit-remaining", "x-ratelimit-reset"]);
  const kept = [...answer.headers].filter(([name]) => !varying.has(name));
  return { answer: { status: answer.status, headers: kept, text: await answer.text() }, isOfSdk: servers() > before };
}

/** Calls a tool with a new envelope and again; requires that the answers are equal and the second one is direct. */
async function requireEqualAnswers(given: { name: string; arguments: object }, id?: unknown): Promise<string> {
  const meta = newEnvelope();
  // The endpoint must have seen the key.
  await call(params, { meta: newEnvelope() });
  const first = await call(given, { meta, id });
  const second = await call(given, { meta, id });
  expect([first.isOfSdk, second.isOfSdk]).toEqual([true, false]);
  expect(second.answer).toEqual(first.answer);
  return second.answer.text;
}

describe("an accepted call of a tool that only reads", () => {
  it("is answered byte for byte as by the SDK", async () => {
    const { guide } = opened.world.documents;
    expect(await requireEqualAnswers({ name: "get_document", arguments: { id: guide.id } })).toContain(guide.id);
    await requireEqualAnswers({ name: "search", arguments: { query: "guide" } }, 7);
    await requireEqualAnswers({ name: "list_collections", arguments: {} }, "");
    await requireEqualAnswers({ name: "list_documents", arguments: { limit: 2 } }, -1);
  });

  it("fails byte for byte as by the SDK", async () => {
    const unknown = "00000000-0000-7000-8000-000000000000";
    const missing = await requireEqualAnswers({ name: "get_document", arguments: { id: unknown } });
    expect(missing).toContain("NOT_FOUND");
    const invalid = await requireEqualAnswers({ name: "search", arguments: { query: "a", nonsense: { deep: [1] } } });
    expect(invalid).toContain("INVALID_PARAMETERS");
  });
});

describe("the SDK answers", () => {
  it.each<[string, Partial<Call>]>([
    ["a call whose header names another tool", { headers: { "Mcp-Name": "search" } }],
    ["a call whose header names another revision", { headers: { "MCP-Protocol-Version": "2025-11-25" } }],
    ["a call whose header names another method", { headers: { "Mcp-Method": "tools/list" } }],
    ["a call without an id", { id: null }],
    ["a call with a broken id", { id: 1.5 }],
  ])("%s, as if no call had been accepted before", async (_, change) => {
    const fresh = await call(params, { meta: newEnvelope(), ...change });
    const meta = newEnvelope();
    await call(params, { meta });
    expect((await call(params, { meta })).isOfSdk).toBe(false);
    const changed = await call(params, { meta, ...change });
    expect(changed.answer.status).toBe(fresh.answer.status);
    expect(changed.answer.text).toBe(fresh.answer.text);
  });

  it("every call whose envelope it refuses", async () => {
    const { "io.modelcontextprotocol/clientCapabilities": _, ...meta } = newEnvelope();
    const first = await call(params, { meta });
    const second = await call(params, { meta });
    expect(first.answer.status).toBe(400);
    expect(second.answer).toEqual(first.answer);
  });

  it("every call of a tool that changes something", async () => {
    const meta = newEnvelope();
    const change = { name: "delete_document", arguments: { id: "nonsense" } };
    await call(change, { meta });
    expect((await call(change, { meta })).isOfSdk).toBe(true);
  });
});
