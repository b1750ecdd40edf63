import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort, type TestDatabase, testDatabase } from "@kb/db/testing";
import { startStopwatch } from "@kb/testing/event-loop-time";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contentOf, currentClient, oldClient } from "./clients.ts";
import { commands, type Started, startProgram } from "./processes.ts";

let test: TestDatabase;
let folder: string;
let service: Started;
let settings: { url: URL; key: string; text: string };

beforeAll(async () => {
  test = await testDatabase();
  folder = mkdtempSync(join(tmpdir(), "kb-mcp-start-"));
  const environment = { HOME: folder, PORT: String(await freePort()), DATABASE_URL: test.url };
  service = await startProgram(await commands.kb(), environment, folder);
  settings = printedSettings(service.output());
});

afterAll(async () => {
  await service?.end("SIGKILL");
  await test?.drop();
  rmSync(folder, { recursive: true, force: true });
});

/** The client settings that the first start printed. */
function printedSettings(output: string): { url: URL; key: string; text: string } {
  const text = /^ {2}\{\n[\s\S]*?^ {2}\}$/m.exec(output)?.[0] ?? "";
  const { type, url, headers } = JSON.parse(text).mcpServers.kb;
  expect(type).toBe("http");
  return { url: new URL(url), key: headers.Authorization.replace(/^Bearer /, ""), text };
}

describe("kb start", () => {
  it("a client connects with exactly the settings that the first start printed", {
    meta: { proves: ["mcp.purpose"] },
  }, async () => {
    const old = await oldClient(settings.url, settings.key);
    const { collections } = contentOf(await old.client.callTool({ name: "list_collections", arguments: {} }));
    expect(collections).toMatchObject([{ name: "Welcome", canWrite: true }]);
    await old.close();
    for (const mode of ["legacy", "auto", { pin: "2026-07-28" }] as const) {
      const { client, close } = await currentClient(settings.url, settings.key, mode);
      const found = await client.callTool({ name: "search", arguments: { query: "Markdown" } });
      expect(contentOf(found)).toMatchObject({ results: expect.arrayContaining([expect.anything()]) });
      await close();
    }
  });

  it("the Inspector lists its tools and finds nothing in their schemas that a client could stumble over", async () => {
    const header = `Authorization: Bearer ${settings.key}`;
    const args = [
      "--cli",
      settings.url.href,
      "--transport",
      "http",
      "--header",
      header,
      "--method",
      "tools/list",
      "--strict",
    ];
    const { code, stdout, stderr } = await run([inspector, ...args]);
    expect({ code, stderr: code === 0 ? "" : stderr }).toEqual({ code: 0, stderr: "" });
    const { tools } = JSON.parse(stdout);
    expect(tools.map(({ name }: { name: string }) => name)).toContain("append_to_document");
  }, 60_000);

  it("the Inspector connects with the settings that the documentation shows", async () => {
    const docs = readFileSync(new URL("../../../docs/mcp.md", import.meta.url), "utf8");
    const [shown = ""] = /\{\n {2}"mcpServers": \{\n {4}"kb": \{ "type": "http"[^`]*/.exec(docs) ?? [];
    const config = join(folder, "mcp.json");
    writeFileSync(
      config,
      shown.replace("https://wiki.example.com/api/mcp", settings.url.href).replace("kb_…", settings.key),
    );
    const args = ["--cli", "--config", config, "--server", "kb", "--method", "tools/list"];
    const { code, stdout, stderr } = await run([inspector, ...args]);
    expect(code, stderr).toBe(0);
    expect(JSON.parse(stdout).tools.length).toBeGreaterThan(10);
  }, 60_000);

  it("SIGTERM ends open streams, and the process within five seconds", {
    meta: { proves: ["decision.running.stop"] },
  }, async () => {
    const { client, close } = await oldClient(settings.url, settings.key);
    await client.listTools();
    const elapsedMs = startStopwatch();
    expect(await service.end("SIGTERM")).toBe(0);
    expect(elapsedMs()).toBeLessThan(5_000);
    await close();
  });
});

/** The program of the Inspector. */
const inspector = join(
  createRequire(import.meta.url).resolve("@modelcontextprotocol/inspector/package.json"),
  "../clients/launcher/build/index.js",
);

function run(args: readonly string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const env = { PATH: process.env.PATH ?? "", HOME: folder };
  return new Promise((resolve) => {
    execFile(process.execPath, args, { env, cwd: folder }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
    });
  });
}
