import { createWorld, type World } from "@kb/core/testing";
import type { ConnectOptions } from "@kb/db";
import { testDatabase } from "@kb/db/testing";
import { type Instance, type InstanceOptions, startInstance } from "./setting.ts";

/** A world whose team has MCP enabled, behind an endpoint. */
export type McpWorld = {
  readonly world: World;
  readonly instance: Instance;
  readonly databaseUrl: string;
  close(): Promise<void>;
};

/** `onQuery` is called with each statement. */
type WorldOptions = Omit<InstanceOptions, "database"> & Pick<ConnectOptions, "onQuery">;

/** Opens a world on its own database. */
export async function openWorld({ onQuery, ...options }: WorldOptions = {}): Promise<McpWorld> {
  const watched = onQuery === undefined ? {} : { onQuery };
  const { database, url: databaseUrl, drop } = await testDatabase(watched);
  const world = await createWorld(database, options.clock === undefined ? {} : { clock: options.clock });
  await letIn(world, true);
  // The other team has MCP enabled too, so that only the policy can refuse its callers.
  const { teamId } = world.people.outsider.actor;
  await database.client.team.update({ where: { id: teamId }, data: { mcpEnabled: true } });
  const instance = await startInstance({ database, files: world.service.files, ...options });
  return {
    world,
    instance,
    databaseUrl,
    close: async () => {
      await instance.close();
      await drop();
    },
  };
}

/** Switches MCP as an older release did, which keeps the current sessions. */
export async function letIn(world: World, mcpEnabled: boolean): Promise<void> {
  const { client } = world.service.database;
  await client.team.update({ where: { id: world.teamId }, data: { mcpEnabled } });
}

/** Sends a request as a client of a revision with sessions does; headers may be left out. */
export function post(url: URL, body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  return fetch(url, {
    method: "POST",
    headers: { Accept: "application/json, text/event-stream", "Content-Type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
}

export const bearer = (key: string): { readonly Authorization: string } => ({ Authorization: `Bearer ${key}` });

/** The first message of a client. */
export const initialize = (revision = "2025-11-25") => ({
  jsonrpc: "2.0",
  id: 0,
  method: "initialize",
  params: { protocolVersion: revision, capabilities: {}, clientInfo: { name: "test", version: "1.0.0" } },
});

/** Starts a session and returns the headers that continue it. */
export async function beginSession(url: URL, key: string, revision = "2025-11-25"): Promise<Record<string, string>> {
  const answer = await post(url, initialize(revision), bearer(key));
  const id = answer.headers.get("Mcp-Session-Id");
  if (answer.status !== 200 || id === null) throw new Error(`no session: ${answer.status} ${await answer.text()}`);
  return { ...bearer(key), "Mcp-Session-Id": id, "MCP-Protocol-Version": revision };
}

export const ping = { jsonrpc: "2.0", id: 1, method: "ping" };
