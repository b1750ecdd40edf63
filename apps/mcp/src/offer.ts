import type { Actor } from "@kb/auth";
import { invoke, type Service, ServiceError } from "@kb/core";
import { getCollection, getDocument } from "@kb/core/operations";
import { callReadOnlyTool, createMcpServer, serverInfo } from "@kb/mcp-tools";
import type { Outgoing } from "@kb/outgoing";
import type { Logger } from "@kb/runtime";
import { describeError } from "@kb/runtime";
import type { CallToolResult, McpServer } from "@modelcontextprotocol/server";
import type { Caller } from "./caller.ts";
import { parseResourceUri } from "./changes/resource.ts";
import { version } from "./version.ts";

/** The tools and resources that the app serves. The conformance suite replaces them with a fixture. */
export type Offer = {
  /**
   * Creates a server for one request, without connecting it.
   * @param tool the only tool that the request may call, if it calls one and does nothing else
   */
  server(caller: Caller, tool?: string): McpServer;
  /** Calls tools without a server; absent where each call needs one. */
  readonly direct?: DirectTools;
  /** Returns whether the caller may follow the changes of a resource. */
  mayRead(actor: Actor, uri: string): Promise<boolean>;
};

/** Tools that only read, called without a server. */
export type DirectTools = {
  /** The server that the results name. */
  readonly serverInfo: object;
  /** Returns the result that a server would return; undefined if only a server can answer. */
  call(caller: Caller, tool: string, input: unknown): Promise<CallToolResult | undefined>;
};

/** The tools and resources of the knowledge base. */
export function knowledgeBase(service: Service, outgoing: Outgoing, logger: Logger): Offer {
  const onDefect = (error: unknown, tool: string): void =>
    logger.error({ tool, cause: describeError(error) }, "a tool failed");
  return {
    direct: {
      serverInfo: serverInfo(version),
      call: ({ actor, call }, tool, input) =>
        callReadOnlyTool(tool, { actor, call, service, outgoing }, input, onDefect),
    },
    server: ({ actor, call }, onlyTool) =>
      createMcpServer({
        service,
        onlyTool,
        version,
        caller: () => ({ actor, call }),
        challengesScopes: actor.credential.kind === "oauth",
        announcesChanges: true,
        outgoing,
        onDefect,
      }),
    mayRead: (actor, uri) => mayRead(service, actor, uri),
  };
}

/** Reads the resource through `invoke`, so that following requires the same permission as reading. */
async function mayRead(service: Service, actor: Actor, uri: string): Promise<boolean> {
  const resource = parseResourceUri(uri);
  if (resource === null) return false;
  try {
    if (resource.kind === "document") await invoke(service, getDocument, actor, { id: resource.id });
    else await invoke(service, getCollection, actor, { id: resource.id });
    return true;
  } catch (error) {
    if (error instanceof ServiceError && refusals.has(error.code)) return false;
    throw error;
  }
}

const refusals: ReadonlySet<string> = new Set(["not_found", "forbidden", "insufficient_scope"]);
