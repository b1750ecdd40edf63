import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { z } from "zod";
import { clients, installLink, settingsFor } from "../src/client/screens/settings/assistant-clients.ts";

const url = "https://wiki.example.com/api/mcp";
const text = z.string().min(1);
const remote = { url: z.literal(url), headers: z.record(text, text).optional() };
const program = { command: text, args: z.array(text).optional(), env: z.record(text, text).optional() };
const http = { type: z.literal("http"), ...remote };
const servers = <T extends z.ZodType>(server: T) => z.strictObject({ kb: server });
const asked = z.strictObject({
  type: z.literal("promptString"),
  id: text,
  description: text.optional(),
  default: text.optional(),
  password: z.boolean().optional(),
});

// The formats as the clients document them, strictly: a field that a client does not know would be a setting that is ignored.
const formats = {
  cursor: z.strictObject({ mcpServers: servers(z.strictObject(remote)) }),
  // The keys that the schema of VS Code's mcp.json allows; an address there begins with http:// or https://.
  vscode: z.strictObject({
    inputs: z.array(asked).optional(),
    servers: servers(z.strictObject(http)),
  }),
  // `.mcp.json` of Claude Code, which the Inspector reads too. Without the type, both would start a program.
  key: z.strictObject({ mcpServers: servers(z.strictObject(http)) }),
  // `claude_desktop_config.json` and Cursor; VS Code has the same server below `servers`, with a type.
  stdio: z.strictObject({ mcpServers: servers(z.strictObject(program)) }),
};

/** The names of the formats that settings have. */
const formatsOf = (settings: unknown): string[] =>
  Object.entries(formats).flatMap(([name, format]) => (format.safeParse(settings).success ? [name] : []));

it("the settings of each client have the format that it reads", () => {
  for (const client of ["cursor", "vscode", "key"] as const) {
    const parsed = formats[client].safeParse(JSON.parse(settingsFor(client, url) ?? ""));
    expect(parsed.error, client).toBeUndefined();
  }
  expect(settingsFor("claudeCode", url)).toBe(`claude mcp add --transport http kb ${url}`);
});

it("each of the settings in the documentation has the format of one client, and no other would read it wrongly", () => {
  const docs = readFileSync(new URL("../../../docs/mcp.md", import.meta.url), "utf8");
  const shown = [...docs.matchAll(/```json\n([\s\S]*?)```/g)].map(([, block = ""]) => block);
  expect(shown.map((block) => formatsOf(JSON.parse(block)))).toEqual([["cursor"], ["key"], ["vscode"], ["stdio"]]);
  // What VS Code asks for is what the header needs.
  const [, , vscode = ""] = shown;
  const { inputs = [] } = formats.vscode.parse(JSON.parse(vscode));
  expect([...vscode.matchAll(/\$\{input:([\w-]+)\}/g)].map(([, id]) => id)).toEqual(inputs.map(({ id }) => id));
});

it("the links of Cursor and VS Code hold the same server as their settings, whatever the address", () => {
  for (const address of [url, "https://wiki.example.com:8443/below?a=b&c=%20"]) {
    const vscode = installLink("vscode", address) ?? "";
    expect(vscode).toMatch(/^vscode:mcp\/install\?[\w%.~!*'()-]+$/);
    const { name, ...server } = JSON.parse(decodeURIComponent(vscode.slice("vscode:mcp/install?".length)));
    expect(JSON.parse(settingsFor("vscode", address) ?? "")).toEqual({ servers: { [name]: server } });
    const cursor = new URL(installLink("cursor", address) ?? "");
    expect(cursor.href.split("?")[0]).toBe("cursor://anysphere.cursor-deeplink/mcp/install");
    const config = JSON.parse(atob(cursor.searchParams.get("config") ?? ""));
    const serverName = cursor.searchParams.get("name") ?? "";
    expect(JSON.parse(settingsFor("cursor", address) ?? "")).toEqual({ mcpServers: { [serverName]: config } });
  }
  expect(clients.filter((client) => installLink(client, url) !== undefined)).toEqual(["cursor", "vscode"]);
});
