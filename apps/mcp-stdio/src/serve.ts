import type { Service } from "@kb/core";
import { createMcpServer } from "@kb/mcp-tools";
import type { Outgoing } from "@kb/outgoing";
import { type StdioServerHandle, StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import { callerOf } from "./caller.ts";
import { version } from "./version.ts";

/** What one client is served with. */
export type Serving = {
  readonly service: Service;
  /** The API key; asked anew on every call. */
  readonly key: string;
  readonly outgoing: Outgoing;
  /** The pipes to the client: those of the process unless given. */
  readonly transport?: StdioServerTransport;
  readonly onDefect: (error: unknown, what: string) => void;
  readonly onBadMessage: (error: Error) => void;
};

/**
 * Serves one client, in whichever revision of the protocol it speaks.
 * @throws {ServiceError} at once where the key or the team's switch would refuse every call.
 */
export async function serve({ service, key, outgoing, ...rest }: Serving): Promise<StdioServerHandle> {
  await callerOf(service, key);
  const { transport = new StdioServerTransport(), onDefect, onBadMessage } = rest;
  const caller = async () => ({ actor: await callerOf(service, key) });
  return serveStdio(() => createMcpServer({ service, version, outgoing, caller, onDefect }), {
    transport,
    onerror: onBadMessage,
  });
}
