/** The clients whose settings the page shows. */
export const clients = ["claude", "claudeCode", "chatgpt", "cursor", "vscode", "key"] as const;
/** One of `clients`. */
export type Client = (typeof clients)[number];

/** Returns the address of the service for assistants. */
export const mcpAddress = (): string => `${location.origin}/api/mcp`;

/** Returns the settings or the command of a client as docs/mcp.md has them; undefined for one that needs only the address. */
export function settingsFor(client: Client): string | undefined {
  const url = mcpAddress();
  if (client === "claudeCode") return `claude mcp add --transport http kb ${url}`;
  if (client === "cursor") return json({ mcpServers: { kb: { url } } });
  if (client === "vscode") return json({ servers: { kb: { type: "http", url } } });
  if (client === "key") return json({ mcpServers: { kb: { url, headers: { Authorization: "Bearer kb_…" } } } });
  return undefined;
}

const json = (settings: object): string => JSON.stringify(settings, null, 2);
