/** The clients whose settings the page shows. */
export const clients = ["claude", "claudeCode", "chatgpt", "cursor", "vscode", "key"] as const;
/** One of `clients`. */
export type Client = (typeof clients)[number];

/** The name under which a client lists the server. */
const name = "kb";

/** Returns the address of the service for assistants. */
export const mcpAddress = (): string => `${location.origin}/api/mcp`;

/** Returns the settings or the command of a client as docs/mcp.md has them; undefined for one that needs only the address. */
export function settingsFor(client: Client, url: string): string | undefined {
  if (client === "claudeCode") return `claude mcp add --transport http ${name} ${url}`;
  if (client === "cursor") return json({ mcpServers: { [name]: { url } } });
  if (client === "vscode") return json({ servers: { [name]: { type: "http", url } } });
  if (client === "key")
    return json({ mcpServers: { [name]: { type: "http", url, headers: { Authorization: "Bearer kb_…" } } } });
  return undefined;
}

/** Returns the link that adds the server to a client on this computer; undefined for one that has no such links. */
export function installLink(client: Client, url: string): string | undefined {
  if (client === "vscode")
    return `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name, type: "http", url }))}`;
  if (client === "cursor") {
    const config = encodeURIComponent(btoa(JSON.stringify({ url })));
    return `cursor://anysphere.cursor-deeplink/mcp/install?name=${name}&config=${config}`;
  }
  return undefined;
}

const json = (settings: object): string => JSON.stringify(settings, null, 2);
