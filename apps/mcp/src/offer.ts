import type { Actor } from "@kb/auth";
import { invoke, type Service, ServiceError } from "@kb/core";
import { getCollection, getDocument } from "@kb/core/operations";
import type { Logger } from "@kb/http";
import { describeError } from "@kb/http";
import { createMcpServer } from "@kb/mcp-tools";
import type { Outgoing } from "@kb/outgoing";
import type { McpServer } from "@modelcontextprotocol/server";
import type { Caller } from "./caller.ts";
import { resourceOf } from "./changes/resource.ts";
import { version } from "./version.ts";

/** What is served over the wiring of this app; the conformance suite puts a fixture in its place. */
export type Offer = {
  /** A server for one request, not connected yet. */
  server(caller: Caller): McpServer;
  /** Whether the caller may hear of changes of a resource. */
  mayRead(actor: Actor, uri: string): Promise<boolean>;
};

/** The tools and resources of the knowledge base. */
export function knowledgeBase(service: Service, outgoing: Outgoing, logger: Logger): Offer {
  return {
    server: ({ actor, call }) =>
      createMcpServer({
        service,
        version,
        caller: () => ({ actor, call }),
        challengesScopes: actor.credential.kind === "oauth",
        announcesChanges: true,
        outgoing,
        onDefect: (error, tool) => logger.error({ tool, cause: describeError(error) }, "a tool failed"),
      }),
    mayRead: (actor, uri) => mayRead(service, actor, uri),
  };
}

/** By the one door: what cannot be got cannot be followed. */
async function mayRead(service: Service, actor: Actor, uri: string): Promise<boolean> {
  const resource = resourceOf(uri);
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
