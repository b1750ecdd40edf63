import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";

/** A load balancer with its own address. */
export type LoadBalancer = {
  readonly url: URL;
  readonly port: number;
  /** The port that answered the last request of a method. */
  lastTo(method: string): number;
  /** Makes `lastTo` 0 until the next answer. */
  forget(): void;
  close(): Promise<void>;
};

type Options = { readonly token?: string; readonly port?: number };

/**
 * Forwards requests to these ports in turn, and to the next port if one refuses the connection, as a load balancer does.
 * Adds `token` to requests without one, because the conformance suite cannot send it.
 */
export async function roundRobin(ports: readonly number[], { token, port = 0 }: Options = {}): Promise<LoadBalancer> {
  let turn = 0;
  const answered = new Map<string, number>();
  const pass = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const headers = { ...incoming.headers };
    if (token !== undefined) headers.authorization ??= `Bearer ${token}`;
    const { method = "GET", url: path } = incoming;
    const attempt = (left: number): void => {
      const to = ports[turn % ports.length] ?? 0;
      turn += 1;
      // Uses a separate connection, because a shared one would end with the client of another request.
      const onward = request({ host: "127.0.0.1", port: to, method, path, headers, agent: false }, (answer) => {
        answered.set(method, to);
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.on("error", () => outgoing.destroy());
        answer.pipe(outgoing);
      });
      onward.on("error", (error: NodeJS.ErrnoException) => {
        if (error.code === "ECONNREFUSED" && left > 1) attempt(left - 1);
        else if (outgoing.headersSent) outgoing.destroy();
        else outgoing.writeHead(502).end();
      });
      outgoing.on("close", () => onward.destroy());
      onward.end(Buffer.concat(chunks));
    };
    attempt(ports.length);
  };
  const server = createServer((incoming, outgoing) => {
    pass(incoming, outgoing).catch(() => outgoing.destroy());
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the load balancer has no port");
  return {
    url: new URL(`http://localhost:${address.port}/api/mcp`),
    port: address.port,
    lastTo: (method) => answered.get(method) ?? 0,
    forget: () => answered.clear(),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
