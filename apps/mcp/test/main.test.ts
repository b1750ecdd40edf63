import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort, type TestDatabase, testDatabase } from "@kb/db/testing";
import { builtProgram } from "@kb/testing/built-program";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { commands, startProgram } from "./processes.ts";
import { ping, post } from "./world.ts";

const root = join(import.meta.dirname, "..");

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

async function servesAndStops(command: readonly string[], cwd?: string): Promise<void> {
  const port = await freePort();
  const environment = { DATABASE_URL: database.url, APP_URL: `http://localhost:${port}`, PORT: String(port) };
  const started = await startProgram(command, environment, cwd);
  const health = await fetch(`http://localhost:${port}/api/health`);
  expect(await health.json()).toMatchObject({ status: "ok", checks: { database: "ok", redis: "off" } });
  expect((await post(new URL(`http://localhost:${port}/api/mcp`), ping)).status).toBe(401);
  expect(await started.end("SIGTERM")).toBe(0);
  expect(started.output()).toContain('"message":"stopped"');
}

describe("the MCP endpoint as a process of its own", () => {
  it(
    "serves with only DATABASE_URL and APP_URL, and stops cleanly on SIGTERM",
    () => servesAndStops([join(root, "src/main.ts")]),
    60_000,
  );

  it("its bundle runs with plain Node in an empty folder", async () => {
    const folder = await mkdtemp(join(tmpdir(), "kb-mcp-"));
    try {
      await copyFile(await builtProgram("mcp"), join(folder, "main.js"));
      await servesAndStops(["main.js"], folder);
    } finally {
      await rm(folder, { recursive: true });
    }
  }, 60_000);

  it("without a secret for tokens it says that no app can connect, and does not start where that is asked for", {
    timeout: 60_000,
    meta: { proves: ["oauth.settings"] },
  }, async () => {
    const port = String(await freePort());
    const environment = { DATABASE_URL: database.url, APP_URL: `http://localhost:${port}`, PORT: port };
    const started = await startProgram(await commands.mcp(), environment);
    expect(started.output()).toContain("no app can connect by OAuth: set APP_SECRET or MCP_OAUTH_TOKEN_SECRET");
    const challenge = (await post(new URL(`http://localhost:${port}/api/mcp`), ping)).headers.get("WWW-Authenticate");
    expect(challenge).toBe('Bearer scope="read write"');
    await started.end("SIGTERM");
    const refused = startProgram(await commands.mcp(), { ...environment, MCP_OAUTH_ENABLED: "true" });
    expect(await refused.then(String, String)).toContain("  MCP_OAUTH_TOKEN_SECRET: is required");
  });

  it("with one a 401 says where its metadata is", {
    timeout: 60_000,
    meta: { proves: ["oauth.discovery"] },
  }, async () => {
    const port = String(await freePort());
    const origin = `http://localhost:${port}`;
    const secret = { APP_SECRET: "3e1f0b97c5d2486aa1b7c3d9e5f08142" };
    const started = await startProgram(await commands.mcp(), {
      DATABASE_URL: database.url,
      APP_URL: origin,
      PORT: port,
      ...secret,
    });
    const challenge = (await post(new URL(`${origin}/api/mcp`), ping)).headers.get("WWW-Authenticate");
    expect(challenge).toContain(`resource_metadata="${origin}/.well-known/oauth-protected-resource/api/mcp"`);
    await started.end("SIGTERM");
  });

  it("tells all that is wrong with its environment at once", async () => {
    const wrong = startProgram(await commands.mcp(), { DATABASE_URL: "mysql://kb:hunter2@db/kb", PORT: "x" });
    const told = await wrong.then(String, String);
    for (const name of ["APP_URL", "DATABASE_URL", "PORT"]) expect(told).toContain(`  ${name}: `);
    expect(told).not.toContain("hunter2");
  }, 60_000);
});
