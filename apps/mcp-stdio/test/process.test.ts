import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { admin } from "@kb/core";
import { createWorld } from "@kb/core/testing";
import { connect as connectDatabase, endWithThisProcess, lockDataDir, migrate, startCluster } from "@kb/db";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  dataBase64,
  type Launch,
  openStdioWorld,
  ownEnvironment,
  program,
  type StdioWorld,
  switchMcp,
} from "./stdio-world.ts";

type Ended = { readonly code: number | null; readonly stdout: string; readonly stderr: string };

/** Runs the server until it exits. Writes the input to its standard input, then closes that. */
function run({ command, args, env, cwd }: Launch, input = ""): Promise<Ended> {
  const child = spawn(command, args, { env, cwd });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk) => {
    stdout += String(chunk);
  });
  child.stderr.on("data", (chunk) => {
    stderr += String(chunk);
  });
  child.stdin.on("error", () => {});
  child.stdin.end(input);
  return new Promise((resolve) => child.on("close", (code) => resolve({ code, stdout, stderr })));
}

describe("the process", { timeout: 120_000 }, () => {
  let opened: StdioWorld;
  beforeAll(async () => {
    opened = await openStdioWorld();
  });
  afterAll(() => opened.close());

  it("says in one sentence which variable is missing, on standard error", {
    meta: { proves: ["stdio.environment", "decision.stdio.streams"] },
  }, async () => {
    const launch = opened.launch("");
    const sentences: [Record<string, string>, RegExp][] = [
      [{ DATABASE_URL: opened.url }, /^kb-mcp-stdio: Set SVC_API_KEY, [^.]+\.\n$/],
      [{ SVC_API_KEY: "kb_x" }, /^kb-mcp-stdio: Set DATABASE_URL, [^.]+\.\n$/],
      [{}, /^kb-mcp-stdio: Set SVC_API_KEY, [^.]+, and DATABASE_URL, [^.]+, or KB_DATA_DIR, [^.]+\.\n$/],
      [{ SVC_API_KEY: "kb_x", KB_DATA_DIR: launch.cwd }, /^kb-mcp-stdio: No database runs in the data folder .+\.\n$/],
    ];
    for (const [variables, sentence] of sentences) {
      const { code, stdout, stderr } = await run({ ...launch, env: { ...ownEnvironment, ...variables } });
      expect([code, stdout, stderr]).toEqual([1, "", expect.stringMatching(sentence)]);
    }
  });

  it("validates the key against the database before it serves", {
    meta: { proves: ["stdio.validation"] },
  }, async () => {
    const { world, launch } = opened;
    const revoked = await world.key(world.people.editor, ["read"]);
    const { id } = (await world.actorOf(revoked)).credential;
    const where = { teamId_id: { teamId: world.teamId, id } };
    await world.service.database.client.apiKey.update({ where, data: { revokedAt: new Date() } });
    for (const key of ["kb_garbage", revoked]) {
      const { code, stderr } = await run(launch(key));
      expect([code, stderr]).toEqual([1, "kb-mcp-stdio: The API key in SVC_API_KEY is not valid.\n"]);
    }
    const away = await run(launch(world.people.editor.key, { DATABASE_URL: "postgresql://kb@127.0.0.1:1/kb" }));
    expect([away.code, away.stderr]).toEqual([1, expect.stringMatching(/^kb-mcp-stdio: .*database.*`kb info`.*\n$/)]);
  });

  it("standard output holds nothing but messages, and the end of standard input ends it", {
    meta: { proves: ["decision.stdio.streams"] },
  }, async () => {
    const initialize = {
      jsonrpc: "2.0",
      id: 1,
      method: "initialize",
      params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "by hand", version: "1" } },
    };
    const input = `${JSON.stringify(initialize)}\n${"not JSON\n"}${JSON.stringify({ jsonrpc: "2.0", id: 2, method: "ping" })}\n`;
    const { world, launch } = opened;
    // The process ends with its input, so that the client must wait for what it wants to read.
    const client = await connect(launch(world.people.admin.key));
    await client.close();
    const { code, stdout } = await run(launch(world.people.admin.key, { LOG_LEVEL: "debug" }), input);
    expect(code).toBe(0);
    for (const line of stdout.trimEnd().split("\n").filter(Boolean)) expect(JSON.parse(line).jsonrpc).toBe("2.0");
  });

  it("a key revoked, an owner suspended, MCP switched off while it runs: the next call is refused", {
    meta: { proves: ["decision.stdio.same"] },
  }, async () => {
    const { world, launch } = opened;
    const { service, people, key } = world;
    const mine = await key(people.member, ["read", "write"]);
    const one = await connect(launch(mine));
    const two = await connect(launch(people.viewer.key));
    const outcome = async (client: Client): Promise<unknown> => {
      const { isError, _meta } = await client.callTool({ name: "list_collections", arguments: {} });
      return isError === true ? _meta?.code : "allowed";
    };
    expect([await outcome(one), await outcome(two)]).toEqual(["allowed", "allowed"]);
    await switchMcp(world, false);
    expect([await outcome(one), await outcome(two)]).toEqual(["MCP_DISABLED", "MCP_DISABLED"]);
    await switchMcp(world, true);
    expect([await outcome(one), await outcome(two)]).toEqual(["allowed", "allowed"]);
    const { id } = (await world.actorOf(mine)).credential;
    const where = { teamId_id: { teamId: world.teamId, id } };
    await service.database.client.apiKey.update({ where, data: { revokedAt: new Date() } });
    await admin.suspendUser(service, people.viewer.email);
    expect([await outcome(one), await outcome(two)]).toEqual(["INVALID_API_KEY", "INVALID_API_KEY"]);
    await Promise.all([one.close(), two.close()]);
  });
});

it("without DATABASE_URL finds the running database and service in KB_DATA_DIR, or in .data below the working folder", {
  timeout: 120_000,
}, async () => {
  const parent = mkdtempSync(join(tmpdir(), "kb-stdio-embedded-"));
  const dataDir = join(parent, ".data");
  endWithThisProcess(dataDir);
  const cluster = await startCluster({ dataDir, settings: { fsync: "off" } });
  await migrate(cluster.url);
  const database = connectDatabase({ url: cluster.url });
  const world = await createWorld(database);
  await switchMcp(world, true);
  const env = { ...ownEnvironment, SVC_API_KEY: world.people.editor.key };
  const launch = { command: process.execPath, args: [program], env, cwd: parent };
  const elsewhere = { ...launch, cwd: tmpdir(), env: { ...env, KB_DATA_DIR: dataDir } };
  const expectFilesAt = async (found: Launch, origin: string): Promise<void> => {
    const client = await connect(found);
    const image = { name: "dot.png", contentType: "image/png", dataBase64 };
    const stored = await client.callTool({ name: "upload_image", arguments: image });
    expect(stored.structuredContent).toMatchObject({ url: expect.stringMatching(`^${origin}/files/.*/dot.png$`) });
    await client.close();
  };
  await expectFilesAt(launch, "http://localhost:3000");
  // The links lead to the `kb start` that holds the folder, on whichever port.
  const lock = lockDataDir(dataDir, "http://localhost:3921");
  await expectFilesAt(elsewhere, "http://localhost:3921");
  await expectFilesAt({ ...launch, env: { ...env, APP_URL: "https://kb.example.com" } }, "https://kb.example.com");
  lock.release();
  await database.close();
  await cluster.stop();
  rmSync(parent, { recursive: true, force: true });
});

async function connect(launch: Launch): Promise<Client> {
  const client = new Client({ name: "test", version: "0.0.0" });
  await client.connect(new StdioClientTransport({ ...launch, stderr: "ignore" }));
  return client;
}
