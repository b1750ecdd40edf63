import { createServer, request } from "node:http";

/** A proxy on an address of its own. */
export type Proxy = { readonly url: URL; readonly port: number; close(): Promise<void> };

/**
 * Passes requests on to these ports in turn, each to the next, with a bearer token where the request has none: the suite
 * cannot send one, and a client behind a load balancer never knows which instance it talks to.
 */
export async function roundRobin(
  ports: readonly number[],
  options: { token?: string; port?: number } = {},
): Promise<Proxy> {
  let turn = 0;
  const { token } = options;
  const server = createServer((incoming, outgoing) => {
    const port = ports[turn % ports.length];
    turn += 1;
    const authorization = incoming.headers.authorization ?? (token === undefined ? undefined : `Bearer ${token}`);
    const headers = { ...incoming.headers, ...(authorization === undefined ? {} : { authorization }) };
    const onward = request(
      { host: "127.0.0.1", port, method: incoming.method, path: incoming.url, headers, agent: false },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.on("error", () => outgoing.destroy());
        answer.pipe(outgoing);
      },
    );
    onward.on("error", () => {
      if (outgoing.headersSent) outgoing.destroy();
      else outgoing.writeHead(502).end();
    });
    outgoing.on("close", () => onward.destroy());
    incoming.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the proxy has no port");
  return {
    url: new URL(`http://localhost:${address.port}/api/mcp`),
    port: address.port,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
