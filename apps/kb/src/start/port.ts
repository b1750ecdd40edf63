import { createServer } from "node:net";
import { CommandError } from "../failure.ts";

/**
 * Checks that the address is available before anything slow starts.
 * @throws {CommandError} `port_unusable`, with what to do
 */
export async function requireFreePort(host: string, port: number): Promise<void> {
  const server = createServer();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once("error", reject);
  server.listen(port, host, resolve);
  try {
    await promise;
  } catch (error) {
    throw portUnusable(error, host, port);
  }
  await new Promise((closed) => server.close(closed));
}

/** Explains why the address is not available and what to do. */
export function portUnusable(error: unknown, host: string, port: number): CommandError {
  return new CommandError("port_unusable", explain(error, host, port), { cause: error });
}

const codeOf = (error: unknown): unknown => (error instanceof Error && "code" in error ? error.code : undefined);

/** Tells whether another program, which may be kb itself, has the port. */
export const isPortTaken = (error: unknown): boolean =>
  error instanceof CommandError && codeOf(error.cause) === "EADDRINUSE";

function explain(error: unknown, host: string, port: number): string {
  const code = codeOf(error);
  switch (code) {
    case "EADDRINUSE":
      return `Port ${port} is in use by another program. Stop it, or set PORT to a free port.`;
    case "EACCES":
      return `This account may not use port ${port}. Set PORT to a port above 1023.`;
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return `HOST ${host} is not an address of this machine. Set it to 127.0.0.1, or 0.0.0.0 for all addresses.`;
    default:
      return `Cannot listen on ${host}:${port} (${String(code ?? error)}). Set HOST and PORT to another address.`;
  }
}
