import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { bearer, letIn, type McpWorld, openWorld, post } from "./world.ts";

// The endpoint has seen the key before each test, so it reads as its owner before it has looked the key up again.

const revision = "2026-07-28";
const statements: { readonly text: string; readonly beginsTrip: boolean }[] = [];
let opened: McpWorld;
let key: string;
let keyWhere: { teamId_id: { teamId: string; id: string } };

beforeAll(async () => {
  opened = await openWorld({ onQuery: (text, _values, beginsTrip) => statements.push({ text, beginsTrip }) });
  const { people, teamId } = opened.world;
  key = people.viewer.key;
  keyWhere = { teamId_id: { teamId, id: people.viewer.actor.credential.id } };
});
beforeEach(async () => {
  expect((await read()).status).toBe(200);
});
afterAll(() => opened?.close());

/** Reads a document by a tool, without a session. */
async function read(): Promise<{ status: number; challenge: string | null; body: string }> {
  const { instance, world } = opened;
  const meta = {
    "io.modelcontextprotocol/protocolVersion": revision,
    "io.modelcontextprotocol/clientInfo": { name: "test", version: "1.0.0" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const params = { name: "get_document", arguments: { id: world.documents.guide.id }, _meta: meta };
  const answer = await post(
    instance.url,
    { jsonrpc: "2.0", id: 1, method: "tools/call", params },
    { ...bearer(key), "MCP-Protocol-Version": revision, "Mcp-Method": "tools/call", "Mcp-Name": "get_document" },
  );
  return { status: answer.status, challenge: answer.headers.get("WWW-Authenticate"), body: await answer.text() };
}

const apiKeys = () => opened.world.service.database.client.apiKey;

it("a tool that only reads takes one round trip, which looks the key up too", async () => {
  statements.length = 0;
  expect((await read()).body).toContain('"structuredContent"');
  const own = statements.filter(({ text }) => /FROM api_keys|JOIN document_bodies/.test(text));
  expect(own).toMatchObject([{ beginsTrip: true }, { beginsTrip: false }]);
  expect(own[0]?.text).toContain("FROM api_keys");
});

it("a key that was revoked since the last call is refused, and nothing is answered", {
  meta: { proves: ["mcp.unauthorized"] },
}, async () => {
  await apiKeys().update({ where: keyWhere, data: { revokedAt: new Date() } });
  try {
    const refused = await read();
    expect(refused).toMatchObject({ status: 401, challenge: 'Bearer error="invalid_token", scope="read write"' });
    expect(JSON.parse(refused.body)).toMatchObject({ code: "invalid_api_key" });
    expect(refused.body).not.toContain("structuredContent");
  } finally {
    await apiKeys().update({ where: keyWhere, data: { revokedAt: null } });
  }
});

it("a key that lost its scope since the last call reads nothing", async () => {
  await apiKeys().update({ where: keyWhere, data: { scopes: ["write"] } });
  try {
    const answer = await read();
    expect(answer).toMatchObject({ status: 200 });
    expect(answer.body).toContain('"isError":true');
    expect(answer.body).not.toContain('"structuredContent"');
  } finally {
    await apiKeys().update({ where: keyWhere, data: { scopes: ["read"] } });
  }
});

it("a call is refused once MCP is switched off, and answered once it is on again", {
  meta: { proves: ["mcp.enabled"] },
}, async () => {
  await letIn(opened.world, false);
  try {
    const refused = await read();
    expect(refused.status).toBe(403);
    expect(JSON.parse(refused.body)).toMatchObject({ code: "mcp_disabled" });
  } finally {
    await letIn(opened.world, true);
  }
  expect((await read()).status).toBe(200);
});
