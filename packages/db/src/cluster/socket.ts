import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Layout } from "./layout.ts";

const beginning = ".s.PGSQL.";
/** The longest path of a socket in bytes: 107 on Linux, 103 on macOS. */
const longestPath = 103;

/**
 * Returns a URL of the cluster that leads to its socket instead of its port; `url` where there is none, or its path is too long. A statement
 * through it costs the service less processor time.
 */
export function throughSocket({ pgData }: Layout, port: number, url: string): string {
  const path = join(pgData, `${beginning}${port}`);
  if (Buffer.byteLength(path) > longestPath || !existsSync(path)) return url;
  const address = new URL(url);
  address.searchParams.set("host", pgData);
  return address.href;
}

/**
 * Removes what a killed PostgreSQL left. It would not start if another process had the number that the lock of its socket names, which
 * happens in containers.
 */
export function removeOldSockets({ pgData }: Layout): void {
  for (const name of readdirSync(pgData)) {
    if (name.startsWith(beginning)) rmSync(join(pgData, name), { force: true });
  }
}
