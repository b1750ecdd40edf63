import { PassThrough } from "node:stream";
import type { Service } from "@kb/core";
import type { SendFile } from "@kb/mcp-tools";
import { guardedFetch } from "@kb/outgoing";
import { Client } from "@modelcontextprotocol/client";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { serve } from "../src/serve.ts";

/** A client on the pipes of a server in this process: the same bytes as between two processes, without their start. */
export async function clientOnPipes(service: Service, key: string, sendFile?: SendFile): Promise<Client> {
  const toServer = new PassThrough();
  const toClient = new PassThrough();
  const fail = (error: unknown): never => {
    throw error;
  };
  const transport = new StdioServerTransport(toServer, toClient);
  await serve({ service, key, outgoing: guardedFetch(), sendFile, transport, onDefect: fail, onBadMessage: fail });
  const client = new Client({ name: "test", version: "0.0.0" });
  // The framing of stdio is the same in both directions.
  await client.connect(new StdioServerTransport(toClient, toServer));
  return client;
}
