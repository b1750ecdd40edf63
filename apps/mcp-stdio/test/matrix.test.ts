import { ServiceError } from "@kb/core";
import { type Scene, setScene } from "@kb/core/testing";
import { toolCases, toolDifferences } from "@kb/mcp-tools/testing";
import type { Client } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { clientOnPipes } from "./pipes.ts";
import { openStdioWorld, type StdioWorld } from "./stdio-world.ts";

/** The names of the cells' outcomes in tools. */
const outcomes: Readonly<Record<string, string>> = {
  READ_ONLY: "insufficient_scope",
  FORBIDDEN: "forbidden",
  NOT_FOUND: "not_found",
  INVALID_API_KEY: "invalid_api_key",
  MCP_DISABLED: "mcp_disabled",
};

describe("every tool for every kind of credential, over stdio", () => {
  let opened: StdioWorld;
  let scene: Scene;
  const clients = new Map<string, Client>();
  beforeAll(async () => {
    opened = await openStdioWorld();
    scene = await setScene(opened.world);
  });
  afterAll(async () => {
    for (const client of clients.values()) await client.close();
    await opened.close();
  });

  it("the table has every tool, and no other", async () => {
    const client = await clientOnPipes(opened.world.service, opened.world.people.admin.key);
    clients.set("admin", client);
    const { tools } = await client.listTools();
    expect(Object.keys(toolCases).sort()).toEqual(tools.map((tool) => tool.name).sort());
  });

  it.each(Object.keys(toolCases))(
    "%s answers as REST's cells say",
    {
      timeout: 60_000,
      meta: {
        proves: ["decision.stdio.same", "stdio.validation", "auth.restricted.mcp", "mcp.enabled", "mcp.write-scope"],
      },
    },
    async (tool) => {
      const differences = await toolDifferences(scene, tool, {
        call: async (_column, credential, name, input) => {
          // Without a key the program does not start, and a browser's session is none.
          if (typeof credential !== "string") return "invalid_api_key";
          try {
            const client = clients.get(credential) ?? (await clientOnPipes(opened.world.service, credential));
            clients.set(credential, client);
            const { isError, _meta } = await client.callTool({ name, arguments: { ...input } });
            return isError === true ? (outcomes[String(_meta?.code)] ?? String(_meta?.code)) : "allowed";
          } catch (error) {
            if (error instanceof ServiceError) return error.code;
            throw error;
          }
        },
        edgeOutcome: (column) => {
          if (column === "mcpOff") return "mcp_disabled";
          return column === "none" || /Session$|Token$|App$/.test(column) ? "invalid_api_key" : undefined;
        },
      });
      expect(differences).toEqual([]);
    },
  );
});
