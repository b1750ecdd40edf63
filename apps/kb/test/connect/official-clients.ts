import {
  Client as CurrentClient,
  type OAuthClientProvider as CurrentProvider,
  StreamableHTTPClientTransport as CurrentTransport,
} from "@modelcontextprotocol/client";
import type { OAuthClientProvider } from "@modelcontextprotocol/sdk/client/auth.js";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { MemoryProvider } from "./memory-provider.ts";

/** A connection by an official client with its own auth code. */
export type Connection = {
  /** @throws where the user has to be asked first. */
  open(): Promise<void>;
  /** Goes on with the address that the user came back to. */
  finish(back: URL): Promise<void>;
  /** The answer of a tool. */
  call(name: string, args?: Record<string, unknown>): Promise<object>;
  close(): Promise<void>;
};

/** Both lines of the official client, the current one in each of its ways. */
export type Line = { readonly name: string; connect(url: URL, provider: MemoryProvider): Connection };

const info = { name: "test", version: "1.0.0" };

/** `@modelcontextprotocol/sdk` 1.x: the installed base. It knows nothing of `iss`. */
export const old: Line = {
  name: "@modelcontextprotocol/sdk 1.x",
  connect(url, provider) {
    const client = new Client(info);
    const transport = new StreamableHTTPClientTransport(url, { authProvider: asOldProvider(provider) });
    return {
      open: () => client.connect(asTransport(transport)),
      finish: (back) => transport.finishAuth(back.searchParams.get("code") ?? ""),
      call: (name, args = {}) => client.callTool({ name, arguments: args }),
      close: () => client.close(),
    };
  },
};

/** `@modelcontextprotocol/client` 2.x; it holds `iss` to RFC 9207. */
const current = (mode: "legacy" | { pin: string }): Line => ({
  name: `@modelcontextprotocol/client 2.x, ${typeof mode === "string" ? mode : mode.pin}`,
  connect(url, provider) {
    const client = new CurrentClient(info, { versionNegotiation: { mode } });
    const transport = new CurrentTransport(url, { authProvider: asCurrentProvider(provider) });
    return {
      open: () => client.connect(transport),
      finish: (back) => transport.finishAuth(back.searchParams),
      call: (name, args = {}) => client.callTool({ name, arguments: args }),
      close: () => client.close(),
    };
  },
});

export const currentLines: readonly Line[] = [current("legacy"), current({ pin: "2026-07-28" })];
export const lines: readonly Line[] = [old, ...currentLines];

/** Its own types do not agree under `exactOptionalPropertyTypes`: the transport is one. */
const asTransport = (transport: StreamableHTTPClientTransport): Transport => transport as Transport;

/** The same for what it asks of its host: `MemoryProvider` has all of it. */
const asOldProvider = (provider: MemoryProvider): OAuthClientProvider => provider as OAuthClientProvider;
const asCurrentProvider = (provider: MemoryProvider): CurrentProvider => provider as CurrentProvider;
