import type { Service } from "@kb/core";
import type { Outgoing } from "@kb/outgoing";
import { McpServer, requireScopes, type ServerContext } from "@modelcontextprotocol/server";
import { callTool, type OnDefect } from "./call-tool.ts";
import { instructions } from "./instructions.ts";
import { type ResourceOptions, registerResources } from "./resources.ts";
import { tools } from "./table.ts";
import { type Caller, effects, type SendFile, type Tool, type ToolContext } from "./tool.ts";
import { unparsedInput, validatedOutput } from "./tool-schema.ts";

/** Options of a server for one connection or one request. */
export type McpServerOptions = {
  readonly service: Service;
  /** The release that clients show. */
  readonly version: string;
  /**
   * Returns the caller; called for every tool call and every read of a resource. Throws the `ServiceError` for a call that
   * must be refused: an unknown key, MCP switched off, or the rate limit.
   */
  readonly caller: (context: ServerContext) => Caller | Promise<Caller>;
  /** True for an OAuth token: a missing scope is answered with an HTTP 403 that makes the client request it. */
  readonly challengesScopes?: boolean;
  /** Announces that the client is notified when resources change. */
  readonly announcesChanges?: boolean;
  /** The only tool that the client may call: to register all of them takes longer than most calls. */
  readonly onlyTool?: string | undefined;
  /** Fetches images from URLs. Without it, none are fetched. */
  readonly outgoing?: Outgoing;
  /** Sends files to the service, for a process without a store of its own. */
  readonly sendFile?: SendFile | undefined;
  readonly onDefect?: OnDefect;
};

/** The scopes that a client should request. With only `read` it could never obtain more. */
const requestedScopes = ["read", "write"] as const;

/** The name of the server, as clients show it. */
export const serverInfo = (version: string) => ({ name: "knowledge-base", title: "Knowledge base", version });

/** Creates an MCP server with every tool and resource of the knowledge base. The edge connects it. */
export function createMcpServer(options: McpServerOptions): McpServer {
  const { service, version, caller, challengesScopes = false, announcesChanges = false, onDefect = () => {} } = options;
  const server = new McpServer(serverInfo(version), {
    instructions,
    capabilities: {
      tools: { listChanged: false },
      resources: { listChanged: announcesChanges, subscribe: announcesChanges },
    },
  });
  const shared = { service, caller, challengesScopes, onDefect };
  const called = tools.find(({ name }) => name === options.onlyTool);
  const offered = called === undefined ? tools : [called];
  for (const tool of offered)
    registerTool(server, tool, { ...shared, outgoing: options.outgoing, sendFile: options.sendFile });
  if (called === undefined) registerResources(server, shared);
  return server;
}

type ToolOptions = ResourceOptions & Pick<ToolContext, "outgoing" | "sendFile">;

function registerTool(server: McpServer, tool: Tool, options: ToolOptions): void {
  const { service, outgoing, sendFile, caller, challengesScopes, onDefect } = options;
  const needed = tool.scope === "read" ? requireScopes("read") : requireScopes(...requestedScopes);
  server.registerTool(
    tool.name,
    {
      title: tool.title,
      description: tool.description,
      inputSchema: unparsedInput(tool.input),
      outputSchema: validatedOutput(tool.output),
      annotations: { ...effects[tool.effect], openWorldHint: false },
      ...(challengesScopes ? { scopeChallenge: needed } : {}),
    },
    (raw, context) =>
      callTool(tool, async () => ({ ...(await caller(context)), service, outgoing, sendFile }), raw, onDefect),
  );
}
