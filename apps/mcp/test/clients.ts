import {
  Client as CurrentClient,
  StreamableHTTPClientTransport as CurrentTransport,
} from "@modelcontextprotocol/client";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";

/** The widely deployed client, which uses sessions and reconnects by itself. */
export type OldClient = {
  readonly client: Client;
  readonly transport: StreamableHTTPClientTransport;
  /** The messages of the GET stream, in order. */
  readonly heard: string[];
  close(): Promise<void>;
};

const info = { name: "test", version: "1.0.0" };

/** `@modelcontextprotocol/sdk` 1.x, connected. */
export async function oldClient(url: URL, key: string): Promise<OldClient> {
  const transport = new StreamableHTTPClientTransport(url, {
    requestInit: { headers: { Authorization: `Bearer ${key}` } },
    reconnectionOptions: {
      initialReconnectionDelay: 100,
      maxReconnectionDelay: 500,
      reconnectionDelayGrowFactor: 1,
      maxRetries: 50,
    },
  });
  const client = new Client(info);
  const heard: string[] = [];
  client.fallbackNotificationHandler = async ({ method, params }) => {
    heard.push(params?.uri === undefined ? method : `${method} ${String(params.uri)}`);
  };
  await client.connect(asTransport(transport));
  return { client, transport, heard, close: () => client.close() };
}

/** Its own types do not agree under `exactOptionalPropertyTypes`: the transport is one. */
const asTransport = (transport: StreamableHTTPClientTransport): Transport => transport as Transport;

/** The way in which a 2.x client negotiates the revision. */
export type Mode = "legacy" | "auto" | { readonly pin: string };

/** `@modelcontextprotocol/client` 2.x, connected. */
export async function currentClient(url: URL, key: string, mode: Mode) {
  const client = new CurrentClient(info, { versionNegotiation: { mode } });
  const transport = new CurrentTransport(url, { requestInit: { headers: { Authorization: `Bearer ${key}` } } });
  const heard: string[] = [];
  client.fallbackNotificationHandler = async ({ method, params }) => {
    heard.push(params?.uri === undefined ? method : `${method} ${String(params.uri)}`);
  };
  await client.connect(transport);
  return { client, transport, heard, close: () => client.close() };
}

/** Returns the result of a tool: its structured content, or the text of its error. */
export function contentOf(result: object): Record<string, unknown> {
  const content: unknown = Reflect.get(result, "structuredContent");
  if (isRecord(content)) return content;
  return { error: JSON.stringify(Reflect.get(result, "content")) };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
