import { createWorld, type World } from "@kb/core/testing";
import { type TestDatabase, testDatabase } from "@kb/db/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contentOf, currentClient, type Mode, oldClient } from "./clients.ts";
import { type Instance, startInstance } from "./setting.ts";

let test: TestDatabase;
let world: World;
let instance: Instance;

beforeAll(async () => {
  test = await testDatabase();
  world = await createWorld(test.database);
  await switchMcp(true);
  instance = await startInstance({ database: test.database });
});

afterAll(async () => {
  await instance?.close();
  await test?.drop();
});

async function switchMcp(mcpEnabled: boolean): Promise<void> {
  await test.database.client.team.update({ where: { id: world.teamId }, data: { mcpEnabled } });
}

describe("clients that are not ours", () => {
  it("@modelcontextprotocol/sdk 1.x: a session, tools, a call, its end", {
    meta: { proves: ["mcp.post", "mcp.credentials"] },
  }, async () => {
    const { client, transport, close } = await oldClient(instance.url, world.people.admin.key);
    expect(transport.sessionId).toMatch(/^[\w-]{32}$/);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain("get_document");
    const found = await client.callTool({ name: "get_document", arguments: { id: world.documents.guide.id } });
    expect(contentOf(found)).toMatchObject({ title: "Guide", canWrite: true });
    await transport.terminateSession();
    await expect(client.listTools()).rejects.toThrow(/404|Session/);
    await close();
  });

  it.each<[string, Mode, string]>([
    ["legacy", "legacy", "2025-11-25"],
    ["auto", "auto", "2026-07-28"],
    ["pinned", { pin: "2026-07-28" }, "2026-07-28"],
  ])("@modelcontextprotocol/client 2.x, %s", async (_name, mode, revision) => {
    const { client, close } = await currentClient(instance.url, world.people.admin.key, mode);
    expect(client.getNegotiatedProtocolVersion()).toBe(revision);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain("search");
    const found = await client.callTool({ name: "get_document", arguments: { id: world.documents.guide.id } });
    expect(contentOf(found)).toMatchObject({ title: "Guide" });
    await close();
  });
});
