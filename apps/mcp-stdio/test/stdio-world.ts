import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createWorld, type World } from "@kb/core/testing";
import { testDatabase } from "@kb/db/testing";
import { builtProgram } from "@kb/testing/built-program";
import { compileCache } from "@kb/testing/compile-cache";

/** The program, built from the sources as the package is. */
export const program = await builtProgram("mcp-stdio");

/** A picture of one point. */
export const dataBase64 =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABpfZFQAAAAABJRU5ErkJggg==";

/** The environment of a stdio server: nothing of the environment that the tests run in but the compile cache. */
export type Launch = {
  readonly command: string;
  readonly args: string[];
  readonly env: Record<string, string>;
  readonly cwd: string;
};

/** What every process gets. */
export const ownEnvironment: Readonly<Record<string, string>> = { PATH: process.env.PATH ?? "", ...compileCache };

/** A world on a database of its own, and servers for the keys of its people. */
export type StdioWorld = {
  readonly world: World;
  readonly url: string;
  /** How a client starts the server for a key. */
  launch(key: string, variables?: Record<string, string>): Launch;
  close(): Promise<void>;
};

/** Opens a world whose teams have MCP switched on. */
export async function openStdioWorld(): Promise<StdioWorld> {
  const { database, url, drop } = await testDatabase();
  const world = await createWorld(database);
  await switchMcp(world, true);
  const folder = mkdtempSync(join(tmpdir(), "kb-stdio-"));
  return {
    world,
    url,
    launch: (key, variables = {}) => ({
      command: process.execPath,
      args: [program],
      env: { ...ownEnvironment, HOME: folder, SVC_API_KEY: key, DATABASE_URL: url, ...variables },
      cwd: folder,
    }),
    close: async () => {
      await drop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Turns the switch of both teams of a world. */
export async function switchMcp(world: World, mcpEnabled: boolean): Promise<void> {
  const ids = [world.teamId, world.people.outsider.actor.teamId];
  for (const id of ids) await world.service.database.client.team.update({ where: { id }, data: { mcpEnabled } });
}
