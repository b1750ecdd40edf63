import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { getMcpConfigForManifest, unpackExtension, v0_3 } from "@anthropic-ai/mcpb";
import { toolNames } from "@kb/mcp-tools";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openStdioWorld, type StdioWorld } from "./stdio-world.ts";

const run = promisify(execFile);
const app = fileURLToPath(new URL("..", import.meta.url));
const build = fileURLToPath(new URL("../../../build", import.meta.url));

/** As a desktop client installs it. */
describe("the desktop bundle", { timeout: 240_000 }, () => {
  let opened: StdioWorld;
  let folder: string;
  let unpacked: string;
  beforeAll(async () => {
    opened = await openStdioWorld();
    folder = mkdtempSync(join(tmpdir(), "kb-stdio-bundle-"));
    await run(process.execPath, [join(build, "app.ts")], { cwd: app });
    await run(process.execPath, [join(build, "desktop-bundle.ts"), folder], { cwd: app });
    const [name = ""] = readdirSync(folder);
    unpacked = join(folder, "unpacked");
    await unpackExtension({ mcpbPath: join(folder, name), outputDir: unpacked, silent: true });
  }, 240_000);
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true });
    await opened.close();
  });

  const manifestOf = (): ReturnType<typeof v0_3.McpbManifestSchema.parse> =>
    v0_3.McpbManifestSchema.parse(JSON.parse(readFileSync(join(unpacked, "manifest.json"), "utf8")));

  it("has a manifest that its schema accepts, of the same release as the package, and the program with its licences", {
    meta: { proves: ["decision.stdio.bundle"] },
  }, () => {
    const { version } = JSON.parse(readFileSync(join(app, "package.json"), "utf8"));
    const manifest = manifestOf();
    expect(manifest).toMatchObject({ name: "kb-mcp-stdio", version, server: { type: "node" } });
    expect(readdirSync(unpacked).sort()).toEqual(["LICENSE", "README.md", "icon.png", "manifest.json", "server"]);
    expect(readdirSync(join(unpacked, "server")).sort()).toEqual([
      "body-thread.js",
      "main.js",
      "main.js.LEGAL.txt",
      "package.json",
      "worker.js",
    ]);
    const icon = readFileSync(join(unpacked, manifest.icon ?? ""));
    expect([icon.subarray(1, 4).toString(), icon.readUInt32BE(16), icon.readUInt32BE(20)]).toEqual(["PNG", 512, 512]);
    const variables = Object.values(manifest.server.mcp_config.env ?? {}).join();
    for (const name of Object.keys(manifest.user_config ?? {})) expect(variables).toContain(`\${user_config.${name}}`);
  });

  it("starts the program with what the user enters, and empty fields count as not set", {
    meta: { proves: ["decision.stdio.bundle"] },
  }, async () => {
    const manifest = manifestOf();
    const paths = { extensionPath: unpacked, systemDirs: {}, pathSeparator: sep };
    expect(await getMcpConfigForManifest({ manifest, ...paths, userConfig: {} })).toBeUndefined();
    const { key } = opened.world.people.editor;
    const userConfig = { api_key: key, database_url: opened.url };
    const config = await getMcpConfigForManifest({ manifest, ...paths, userConfig });
    const { args = [], env = {} } = config ?? {};
    expect(env).toMatchObject({ KB_DATA_DIR: "", DATABASE_URL: opened.url });
    const { HOME = "", PATH = "" } = opened.launch(key).env;
    const command = { command: process.execPath, args, env: { HOME, PATH, ...env }, cwd: folder };
    const client = new Client({ name: "test", version: "0.0.0" });
    await client.connect(new StdioClientTransport({ ...command, stderr: "inherit" }));
    expect((await client.listTools()).tools).toHaveLength(toolNames.size);
    const found = await client.callTool({ name: "list_collections", arguments: {} });
    expect(found.structuredContent).toHaveProperty("collections");
    await client.close();
  });
});
