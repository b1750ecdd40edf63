import { authenticateApiKey } from "@kb/auth";
import { requireMcp, type Service, ServiceError } from "@kb/core";
import { createWorld, type Person, type World } from "@kb/core/testing";
import type { Database } from "@kb/db";
import { testDatabase } from "@kb/db/testing";
import type { Outgoing } from "@kb/outgoing";
import { type CallToolResult, Client, InMemoryTransport, type Tool } from "@modelcontextprotocol/client";
import { z } from "zod";
import { createMcpServer } from "../src/index.ts";

/** The answer of a tool, as an assistant reads it. */
export type Answer = {
  readonly result: CallToolResult;
  /** The code of a tool error; null when the call was done. */
  readonly code: string | null;
  readonly text: string;
  /** `structuredContent`, which a done call always has. */
  readonly data: Record<string, unknown>;
};

/** An assistant of somebody, connected to the real server. */
export type Assistant = {
  readonly client: Client;
  call(name: string, input?: object): Promise<Answer>;
  tools(): Promise<Tool[]>;
};

/** A world, and assistants that work in it. */
export type Desk = {
  readonly world: World;
  readonly database: Database;
  as(who: Person | string): Promise<Assistant>;
  close(): Promise<void>;
};

type DeskOptions = { clock?: Service["clock"]; outgoing?: Outgoing; onQuery?: (text: string) => void };

/** Opens a desk for a test file; the team has MCP switched on. */
export async function openDesk({ outgoing, onQuery, ...options }: DeskOptions = {}): Promise<Desk> {
  const { database, drop } = await testDatabase(onQuery === undefined ? {} : { onQuery });
  const world = await createWorld(database, options);
  await switchMcp(world, true);
  const clients: Client[] = [];
  return {
    world,
    database,
    as: async (who) => {
      const client = await connected(world, typeof who === "string" ? who : who.key, outgoing);
      clients.push(client);
      return assistantOf(client);
    },
    close: async () => {
      for (const client of clients) await client.close();
      await drop();
    },
  };
}

/** Turns the switch of both teams of a world. */
export async function switchMcp(world: World, mcpEnabled: boolean): Promise<void> {
  const ids = [world.teamId, world.people.outsider.actor.teamId];
  for (const id of ids) await world.service.database.client.team.update({ where: { id }, data: { mcpEnabled } });
}

/** As an edge does it: the key and the switch are asked on every call. */
async function connected({ service }: World, key: string, outgoing: Outgoing | undefined): Promise<Client> {
  const server = createMcpServer({
    service,
    version: "0.0.0",
    ...(outgoing === undefined ? {} : { outgoing }),
    caller: async () => {
      const actor = await authenticateApiKey(service.database, key, service.clock.now());
      if (actor === null) throw new ServiceError("invalid_api_key", "The API key is not valid.");
      await requireMcp(service, actor);
      return { actor };
    },
  });
  const [near, far] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: "test", version: "0.0.0" });
  await Promise.all([server.connect(far), client.connect(near)]);
  return client;
}

function assistantOf(client: Client): Assistant {
  return {
    client,
    call: async (name, input = {}) => read(await client.callTool({ name, arguments: { ...input } })),
    tools: async () => (await client.listTools()).tools,
  };
}

function read(result: CallToolResult): Answer {
  const [block] = result.content;
  const text = block?.type === "text" ? block.text : "";
  const code = result.isError === true ? String(result._meta?.code) : null;
  return { result, code, text, data: Fields.parse(result.structuredContent ?? {}) };
}

const Fields = z.record(z.string(), z.unknown());

/** A list in an answer: of objects, or the test fails. */
export const listOf = (value: unknown): Record<string, unknown>[] => z.array(Fields).parse(value);
