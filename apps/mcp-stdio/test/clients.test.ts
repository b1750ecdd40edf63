import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { toolNames } from "@kb/mcp-tools";
import { Client, type ClientOptions } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Client as EarlierClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as EarlierTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openStdioWorld, type StdioWorld } from "./stdio-world.ts";

const info = { name: "test", version: "0.0.0" };
const run = promisify(execFile);

/** Clients that others wrote: the installed base, and the current ones. */
describe("real clients over stdio", { timeout: 120_000 }, () => {
  let opened: StdioWorld;
  beforeAll(async () => {
    opened = await openStdioWorld();
  });
  afterAll(() => opened.close());

  type Negotiation = NonNullable<NonNullable<ClientOptions["versionNegotiation"]>["mode"]>;
  const modes: [string, Negotiation, RegExp][] = [
    ["as before 2026", "legacy", /^2025-/],
    ["as the server can", "auto", /^2026-07-28$/],
    ["pinned to 2026-07-28", { pin: "2026-07-28" }, /^2026-07-28$/],
  ];
  it.each(modes)(
    "@modelcontextprotocol/client, %s",
    { meta: { proves: ["mcp.purpose", "decision.stdio.clients"] } },
    async (_, mode, revision) => {
      const { world, launch } = opened;
      const client = new Client(info, { versionNegotiation: { mode } });
      await client.connect(new StdioClientTransport({ ...launch(world.people.editor.key), stderr: "ignore" }));
      expect(client.getNegotiatedProtocolVersion()).toMatch(revision);
      expect((await client.listTools()).tools).toHaveLength(toolNames.size);
      const { id, title } = world.documents.guide;
      const found = await client.callTool({ name: "search", arguments: { query: "guide steps" } });
      expect(found.structuredContent).toMatchObject({ results: [{ id, title, canWrite: true }] });
      const appended = await client.callTool({
        name: "append_to_document",
        arguments: { id, markdown: "By a client." },
      });
      expect(appended.structuredContent).toMatchObject({ id });
      const { contents } = await client.readResource({ uri: `kb://documents/${id}` });
      expect(contents).toMatchObject([{ mimeType: "text/markdown", text: expect.stringContaining("By a client.") }]);
      const { resources } = await client.listResources();
      expect(resources.map((resource) => resource.uri)).toContain(`kb://collections/${world.collections.open}`);
      await client.close();
    },
  );

  it("@modelcontextprotocol/sdk 1.x", { meta: { proves: ["mcp.purpose", "decision.stdio.clients"] } }, async () => {
    const { world, launch } = opened;
    const client = new EarlierClient(info);
    await client.connect(new EarlierTransport({ ...launch(world.people.editor.key), stderr: "ignore" }));
    expect((await client.listTools()).tools).toHaveLength(toolNames.size);
    const { id } = world.documents.guide;
    const read = await client.callTool({ name: "get_document", arguments: { id } });
    expect(read.structuredContent).toMatchObject({ id, canWrite: true });
    const refused = await client.callTool({ name: "get_document", arguments: { id: world.documents.secret.id } });
    expect(refused).toMatchObject({ isError: true, _meta: { code: "NOT_FOUND" } });
    expect((await client.listResourceTemplates()).resourceTemplates.map((template) => template.uriTemplate)).toEqual([
      "kb://documents/{id}",
      "kb://collections/{id}",
    ]);
    await client.close();
  });

  it("the Inspector's command line finds nothing wrong with the list of tools", {
    meta: { proves: ["decision.stdio.clients"] },
  }, async () => {
    const { command, args, env, cwd } = opened.launch(opened.world.people.editor.key);
    const variables = Object.entries(env).flatMap(([name, value]) => ["-e", `${name}=${value}`]);
    const words = [inspector(), "--cli", ...variables, command, ...args, "--method", "tools/list", "--strict"];
    const { stdout } = await run(command, words, { cwd, env, maxBuffer: 10_000_000 });
    expect(JSON.parse(stdout).tools).toHaveLength(toolNames.size);
  });

  it("the Inspector starts it with the settings that the documentation shows", {
    meta: { proves: ["decision.stdio.clients"] },
  }, async () => {
    const docs = readFileSync(new URL("../../../docs/mcp.md", import.meta.url), "utf8");
    const [shown = ""] = /\{\n {2}"mcpServers": \{\n {4}"kb": \{\n {6}"command"[^`]*/.exec(docs) ?? [];
    const { mcpServers } = JSON.parse(shown);
    expect(mcpServers.kb).toMatchObject({ command: "npx", args: ["-y", "kb-mcp-stdio"] });
    const { command, args, env, cwd } = opened.launch(opened.world.people.editor.key);
    // Only the program and the values are those of this machine.
    const { KB_DATA_DIR: _, ...named } = { ...mcpServers.kb.env, ...env };
    const config = join(cwd, "mcp.json");
    writeFileSync(config, JSON.stringify({ mcpServers: { kb: { ...mcpServers.kb, command, args, env: named } } }));
    const words = [inspector(), "--cli", "--config", config, "--server", "kb", "--method", "tools/list"];
    const { stdout } = await run(command, words, { cwd, env, maxBuffer: 10_000_000 });
    expect(JSON.parse(stdout).tools).toHaveLength(toolNames.size);
  });
});

/** Returns the program of the Inspector. */
function inspector(): string {
  const require = createRequire(import.meta.url);
  const manifest = require.resolve("@modelcontextprotocol/inspector/package.json");
  return join(dirname(manifest), "clients/launcher/build/index.js");
}
