import type { ApiClient, Page } from "@kb/http/testing";

/** A page of the welcome collection. */
export type WelcomePage = { readonly id: string; readonly title: string; readonly markdownText: string };

/** Reads the pages of the welcome collection. */
export async function readWelcomePages(client: ApiClient): Promise<readonly WelcomePage[]> {
  return (await client.get<Page<WelcomePage>>("/api/v1/documents?format=markdown&tag=welcome")).body.data;
}

/** Returns the addresses of the service that pages name, each once. */
export function addressesIn(pages: readonly WelcomePage[], url: string): string[] {
  const address = new RegExp(`${url.replaceAll(".", "\\.")}[^\\s"'\`)\\]]*`, "g");
  return [...new Set(pages.flatMap(({ markdownText }) => markdownText.match(address) ?? []))];
}

/** Opens addresses as a reader in a browser, or those of the API as a script; returns those that do not work. */
export async function deadAddresses(addresses: readonly string[], cookie: string, key: string): Promise<string[]> {
  const opened = addresses.map(async (address): Promise<string[]> => {
    const { pathname } = new URL(address);
    const headers = pathname.startsWith("/api/") ? { Authorization: `Bearer ${key}` } : { Cookie: cookie };
    const isForAssistants = pathname === "/api/mcp";
    return (await fetch(address, isForAssistants ? beginning(headers) : { headers })).ok ? [] : [address];
  });
  return (await Promise.all(opened)).flat();
}

/** Returns the first request of an assistant. */
const beginning = (headers: object): RequestInit => ({
  method: "POST",
  headers: { ...headers, "Content-Type": "application/json", Accept: "application/json, text/event-stream" },
  body: JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } },
  }),
});
