import type { Service } from "@kb/core";
import { createMcpServer, type SendFile } from "@kb/mcp-tools";
import type { Outgoing } from "@kb/outgoing";
import { type StdioServerHandle, StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import { requireActor } from "./require-actor.ts";
import { version } from "./version.ts";

/** Options for serving one client. */
export type ServeOptions = {
  readonly service: Service;
  /** The API key, which is checked on every call. */
  readonly key: string;
  readonly outgoing: Outgoing;
  /** Sends files to the service, for a process without a store of its own. */
  readonly sendFile?: SendFile | undefined;
  /** The pipes to the client; by default those of the process. */
  readonly transport?: StdioServerTransport;
  readonly onDefect: (error: unknown, what: string) => void;
  readonly onBadMessage: (error: Error) => void;
};

/**
 * Serves one client, in any revision of the protocol that it speaks.
 * @throws {ServiceError} at once if every call would be refused: the key is invalid or MCP is switched off.
 */
export async function serve({ service, key, outgoing, sendFile, ...rest }: ServeOptions): Promise<StdioServerHandle> {
  await requireActor(service, key);
  const { transport = new StdioServerTransport(), onDefect, onBadMessage } = rest;
  const caller = async () => ({ actor: await requireActor(service, key) });
  return serveStdio(() => createMcpServer({ service, version, outgoing, sendFile, caller, onDefect }), {
    transport,
    onerror: onBadMessage,
  });
}
