import { oauthKeys } from "@kb/auth";
import { type Scene, setScene, testSecret } from "@kb/core/testing";
import { toolCases, toolDifferences } from "@kb/mcp-tools/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bearer, type McpWorld, openWorld, post } from "./world.ts";

/** The error codes of tools for the outcomes of the matrix. */
const outcomes: Readonly<Record<string, string>> = {
  READ_ONLY: "insufficient_scope",
  FORBIDDEN: "forbidden",
  NOT_FOUND: "not_found",
};

describe("every tool for every kind of credential, over HTTP", () => {
  let opened: McpWorld;
  let scene: Scene;
  beforeAll(async () => {
    // The tokens of its apps are for the endpoint as the world knows it.
    const keys = oauthKeys({ secret: testSecret });
    opened = await openWorld({ oauthKeys: keys, appUrl: "http://localhost:3000" });
    scene = await setScene(opened.world);
  });
  afterAll(() => opened?.close());

  it.each(Object.keys(toolCases))(
    "%s answers as REST's cells say",
    { timeout: 60_000, meta: { proves: ["auth.restricted.mcp", "mcp.credentials", "mcp.enabled", "mcp.write-scope"] } },
    async (tool) => {
      const differences = await toolDifferences(scene, tool, {
        call: async (_column, credential, name, input) => {
          const headers =
            credential === null
              ? {}
              : typeof credential === "string"
                ? bearer(credential)
                : { Cookie: credential.cookie };
          return outcomeOf(await call(opened.instance.url, name, input, headers));
        },
        edgeOutcome: (column) => {
          if (column === "mcpOff") return "mcp_disabled";
          if (column === "none" || /Session$/.test(column)) return "authentication_required";
          return /Token$/.test(column) ? "invalid_api_key" : undefined;
        },
      });
      expect(differences).toEqual([]);
    },
  );
});

/** Makes a call in the revision without sessions. */
function call(url: URL, name: string, input: object, headers: Readonly<Record<string, string>>): Promise<Response> {
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: input, _meta } };
  const standard = { "MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": name };
  return post(url, message, { ...headers, ...standard });
}

async function outcomeOf(answer: Response): Promise<string> {
  const body = await answer.json();
  if (answer.status !== 200) return String(body.code ?? body.error?.code ?? body.error);
  if (body.result?.isError !== true) return body.result === undefined ? JSON.stringify(body) : "allowed";
  const code = String(body.result._meta?.code);
  return outcomes[code] ?? code;
}
