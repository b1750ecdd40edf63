import { randomInt } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import type { Layout } from "./layout.ts";

// Below the ports that operating systems give to outgoing connections, any of which could hold the port at the next start.
const range = { first: 20_000, end: 32_000 };
const attempts = 100;

/** Returns the port of the last start; undefined before the first one. */
export function keptPort(layout: Layout): number | undefined {
  try {
    const port = Number(readFileSync(layout.port, "utf8"));
    return Number.isInteger(port) && port >= range.first && port < range.end ? port : undefined;
  } catch {
    return undefined;
  }
}

/** Returns a port of 127.0.0.1 on which nothing listens, and keeps it for later starts. @throws {Error} where none is free */
export async function choosePort(layout: Layout): Promise<number> {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const port = randomInt(range.first, range.end);
    if (!(await isFree(port))) continue;
    writeFileSync(layout.port, `${port}\n`, { mode: 0o600 });
    return port;
  }
  throw new Error(`no free port between ${range.first} and ${range.end}`);
}

function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}
