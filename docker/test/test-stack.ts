import { admin, invoke, operations } from "@kb/core";
import { type Credential, createWorld, type Person, type World } from "@kb/core/testing";
import { connect, type Database } from "@kb/db";
import { type ApiClient, api } from "@kb/http/testing";
import { password } from "../../apps/kb/test/connect/test-service.ts";
import type { Request } from "./load.ts";
import { type Stack, startStack } from "./stack.ts";

/** A test world on the whole stack: two instances of each app, workers and one proxy. */
export type TestStack = {
  readonly stack: Stack;
  readonly world: World;
  readonly database: Database;
  readonly mcp: URL;
  /** Other teams in the same service. */
  anotherWorld(): Promise<World>;
  as(who: Person | Credential): ApiClient;
  close(): Promise<void>;
};

/** Builds the images, starts the services of the compose file and creates the test world. */
export async function startTestStack(): Promise<TestStack> {
  const stack = await startStack();
  const database = connect({ url: stack.databaseUrl, applicationName: "kb-test" });
  const world = await createWorld(database, { appUrl: stack.origin });
  await database.client.team.update({ where: { id: world.teamId }, data: { mcpEnabled: true } });
  for (const { email } of Object.values(world.people)) await admin.setPassword(world.service, email, password);
  return {
    stack,
    world,
    database,
    mcp: new URL("/api/mcp", stack.origin),
    anotherWorld: () => createWorld(database, { appUrl: stack.origin }),
    as: (who) => api(stack.origin, who !== null && typeof who === "object" && "key" in who ? who.key : who),
    close: async () => {
      await database.close();
      await stack.close();
    },
  };
}

const json = { "Content-Type": "application/json" };

/** The requests of a load: reads and writes over REST, a tool call, the login page. */
export function requestsOf({ world }: Pick<TestStack, "world">): ((index: number) => Request)[] {
  const { key } = world.people.editor;
  const headers = { Authorization: `Bearer ${key}` };
  const get = (name: string, path: string) => (): Request => ({ name, path, headers });
  const { guide } = world.documents;
  const one = get("get", `/api/v1/documents/${guide.id}`);
  const list = get("list", "/api/v1/documents?limit=10");
  const search = get("search", "/api/v1/search?query=guide");
  const logIn = (): Request => ({ name: "log-in page", path: "/login" });
  const create = (index: number): Request => ({
    name: "create",
    method: "POST",
    path: "/api/v1/documents",
    headers: { ...headers, ...json },
    body: JSON.stringify({
      collectionId: world.collections.open,
      title: `Load ${index}`,
      text: "# Text",
      publish: true,
    }),
  });
  const tool = (index: number): Request => ({
    name: "tool",
    method: "POST",
    path: "/api/mcp",
    headers: { ...headers, ...json, Accept: "application/json, text/event-stream", ...modern },
    body: JSON.stringify(toolCall(index, guide.id)),
  });
  // One request in twelve is a write, because the writes of a team run one at a time.
  return [one, list, tool, create, search, one, logIn, list, tool, one, logIn, search];
}

const revision = "2026-07-28";
const modern = { "MCP-Protocol-Version": revision, "Mcp-Method": "tools/call", "Mcp-Name": "get_document" };

/** A tool call of the protocol revision without sessions, in which each request names the client. */
const toolCall = (id: number, documentId: string): object => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: {
    name: "get_document",
    arguments: { id: documentId },
    _meta: {
      "io.modelcontextprotocol/protocolVersion": revision,
      "io.modelcontextprotocol/clientInfo": { name: "load", version: "1.0.0" },
      "io.modelcontextprotocol/clientCapabilities": {},
    },
  },
});

/** Changes the guide, which notifies its subscribers. */
export const changeGuide = ({ world }: Pick<TestStack, "world">, text: string): Promise<unknown> =>
  invoke(world.service, operations.updateDocument, world.people.admin.actor, { id: world.documents.guide.id, text });
