import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { toolNames } from "@kb/mcp-tools";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openStdioWorld, type StdioWorld } from "./stdio-world.ts";

const run = promisify(execFile);
const root = fileURLToPath(new URL("..", import.meta.url));

/** As somebody gets it who has nothing of this repository. */
describe("the package", { timeout: 240_000 }, () => {
  let opened: StdioWorld;
  let folder: string;
  let tarball: string;
  beforeAll(async () => {
    opened = await openStdioWorld();
    folder = mkdtempSync(join(tmpdir(), "kb-stdio-package-"));
    await run("npm", ["pack", "--pack-destination", folder, "--silent"], { cwd: root, env: npmEnvironment(folder) });
    const [name = ""] = readdirSync(folder).filter((file) => file.endsWith(".tgz"));
    tarball = join(folder, name);
  }, 240_000);
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true });
    await opened.close();
  });

  it("installed in an empty folder it is a working `npx kb-mcp-stdio`", {
    meta: { proves: ["stdio.environment", "decision.stdio.package"] },
  }, async () => {
    const env = npmEnvironment(folder);
    await run("npm", ["init", "-y"], { cwd: folder, env });
    const options = ["--offline", "--no-audit", "--no-fund", "--ignore-scripts"];
    await run("npm", ["install", ...options, tarball], { cwd: folder, env });
    expect(readdirSync(join(folder, "node_modules")).filter((name) => !name.startsWith("."))).toEqual(["kb-mcp-stdio"]);
    const client = new Client({ name: "test", version: "0.0.0" });
    const variables = opened.launch(opened.world.people.editor.key).env;
    const command = { command: "npx", args: ["--no-install", "kb-mcp-stdio"], cwd: folder };
    await client.connect(new StdioClientTransport({ ...command, env: { ...variables, ...env }, stderr: "inherit" }));
    expect((await client.listTools()).tools).toHaveLength(toolNames.size);
    const input = { collectionId: opened.world.collections.open, markdown: "From *the* package.\n" };
    const made = await client.callTool({ name: "create_document", arguments: input });
    const { id } = Object(made.structuredContent);
    const read = await client.callTool({ name: "get_document", arguments: { id } });
    expect(read.structuredContent).toMatchObject({ markdown: input.markdown, canWrite: true });
    // A large body is parsed in a thread, which runs from a file of its own.
    const large = { ...input, markdown: "A paragraph of some length.\n\n".repeat(1_000) };
    const thread = await client.callTool({ name: "create_document", arguments: large });
    expect(thread.structuredContent).toMatchObject({ revision: 1 });
    await client.close();
  });

  it("holds the program and what its licences ask for, and nothing of the workspace", async () => {
    const { stdout } = await run("tar", ["-tzf", tarball]);
    expect(stdout.trim().split("\n").sort()).toEqual(
      [
        "LICENSE",
        "README.md",
        "dist/body-thread.js",
        "dist/main.js",
        "dist/main.js.LEGAL.txt",
        "dist/worker.js",
        "package.json",
      ].map((name) => `package/${name}`),
    );
  });

  it("is clean to publint", async () => {
    const { messages, pkg } = await publint({ pkgDir: root, strict: true, pack: "npm" });
    expect(messages.map((message) => formatMessage(message, pkg ?? {}))).toEqual([]);
  });
});

/** The Node that runs the tests, whatever the machine has, and npm with a cache of its own. */
function npmEnvironment(home: string): Record<string, string> {
  return {
    PATH: `${dirname(process.execPath)}:${process.env.PATH ?? ""}`,
    HOME: home,
    npm_config_cache: join(home, ".npm"),
    npm_config_update_notifier: "false",
  };
}
