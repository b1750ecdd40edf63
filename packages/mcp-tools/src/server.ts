import { asServiceError, type Service } from "@kb/core";
import type { Outgoing } from "@kb/outgoing";
import { type CallToolResult, McpServer, requireScopes, type ServerContext } from "@modelcontextprotocol/server";
import { instructions } from "./instructions.ts";
import { heldOutput, shownInput } from "./registered-schema.ts";
import { type ResourceOptions, registerResources } from "./resources.ts";
import { tools } from "./table.ts";
import { type Caller, effects, type Tool, type ToolContext } from "./tool.ts";
import { toolError } from "./tool-error.ts";

/** What a server for one connection, or for one request, is made of. */
export type McpServerOptions = {
  readonly service: Service;
  /** The release, as clients show it. */
  readonly version: string;
  /**
   * Who calls, asked anew for every call of a tool and every reading of a resource. Throws the `ServiceError` that the call
   * is refused with: an unknown key, MCP switched off, the rate limit.
   */
  readonly caller: (context: ServerContext) => Caller | Promise<Caller>;
  /** The credential is an OAuth token: a missing scope is answered by an HTTP 403 that makes the client ask for it. */
  readonly challengesScopes?: boolean;
  /** Somebody tells the client when resources change: the capability is announced. */
  readonly announcesChanges?: boolean;
  /** How an image at an address is fetched; without it, none is. */
  readonly outgoing?: Outgoing;
  /** Told of what is our own fault, and in which tool or resource. */
  readonly onDefect?: (error: unknown, what: string) => void;
};

/** The scopes that a client is told to ask for: `read` alone would never let it obtain more. */
const wantedScopes = ["read", "write"] as const;

/** An MCP server with every tool and resource of the knowledge base; it is connected by its edge. */
export function createMcpServer(options: McpServerOptions): McpServer {
  const { service, version, caller, challengesScopes = false, announcesChanges = false, onDefect = () => {} } = options;
  const server = new McpServer(
    { name: "knowledge-base", title: "Knowledge base", version },
    {
      instructions,
      capabilities: {
        tools: { listChanged: false },
        resources: { listChanged: announcesChanges, subscribe: announcesChanges },
      },
    },
  );
  const shared = { service, caller, challengesScopes, onDefect };
  for (const tool of tools) registerTool(server, tool, { ...shared, outgoing: options.outgoing });
  registerResources(server, shared);
  return server;
}

type ToolOptions = ResourceOptions & Pick<ToolContext, "outgoing">;

function registerTool(server: McpServer, tool: Tool, options: ToolOptions): void {
  const { service, outgoing, caller, challengesScopes, onDefect } = options;
  const needed = tool.scope === "read" ? requireScopes("read") : requireScopes(...wantedScopes);
  server.registerTool(
    tool.name,
    {
      title: tool.title,
      description: tool.description,
      inputSchema: shownInput(tool.input),
      outputSchema: heldOutput(tool.output),
      annotations: { ...effects[tool.effect], openWorldHint: false },
      ...(challengesScopes ? { scopeChallenge: needed } : {}),
    },
    async (raw, context): Promise<CallToolResult> => {
      try {
        const who = await caller(context);
        return answer(await tool.run({ ...who, service, outgoing }, raw));
      } catch (thrown) {
        const error = asServiceError(thrown);
        if (error.code === "internal_error") onDefect(thrown, tool.name);
        return toolError(error);
      }
    },
  );
}

/** Clients show one or the other, so both say the same. */
function answer(structuredContent: Record<string, unknown>): CallToolResult {
  return { structuredContent, content: [{ type: "text", text: JSON.stringify(structuredContent) }] };
}
