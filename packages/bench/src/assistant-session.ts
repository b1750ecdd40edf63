/** Begins a session of MCP; returns its id. @throws {Error} if the server refuses it */
export async function beginSession({ port }: { readonly port: number }, key: string): Promise<string> {
  const clientInfo = { name: "bench", version: "1.0.0" };
  const answer = await fetch(`http://127.0.0.1:${port}/api/mcp`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${key}`,
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 0,
      method: "initialize",
      params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo },
    }),
  });
  const session = answer.headers.get("mcp-session-id");
  if (session === null) throw new Error(`no session: ${answer.status} ${await answer.text()}`);
  return session;
}
