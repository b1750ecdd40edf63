import { expect, it } from "vitest";
import { z } from "zod";
import { clients, installLink, settingsFor } from "../src/client/screens/settings/assistant-clients.ts";

const url = "https://wiki.example.com/api/mcp";
const remote = { url: z.literal(url), headers: z.record(z.string(), z.string()).optional() };

// The formats as the clients document them, strictly: a field that a client does not know would be a setting that is ignored.
const formats = {
  cursor: z.strictObject({ mcpServers: z.record(z.string(), z.strictObject(remote)) }),
  vscode: z.strictObject({
    inputs: z.array(z.looseObject({})).optional(),
    servers: z.record(z.string(), z.strictObject({ type: z.literal("http"), ...remote })),
  }),
  // `.mcp.json` of Claude Code, which the Inspector reads too. Without the type, both would start a program.
  key: z.strictObject({ mcpServers: z.record(z.string(), z.strictObject({ type: z.literal("http"), ...remote })) }),
};

it("the settings of each client have the format that it reads", () => {
  for (const client of ["cursor", "vscode", "key"] as const) {
    const parsed = formats[client].safeParse(JSON.parse(settingsFor(client, url) ?? ""));
    expect(parsed.error, client).toBeUndefined();
  }
  expect(settingsFor("claudeCode", url)).toBe(`claude mcp add --transport http kb ${url}`);
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
