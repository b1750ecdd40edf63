import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** The account that runs PostgreSQL; empty for the account of this process. */
export type RunAs = { uid: number; gid: number } | Record<string, never>;

const accountName = "postgres";

/**
 * Returns the account to run PostgreSQL, which refuses to run as root: root runs it as `postgres`, which is created if it
 * is missing. Other accounts run it themselves.
 */
export function runAs(): RunAs {
  if (process.getuid?.() !== 0) return {};
  const existing = account();
  if (existing !== undefined) return existing;
  spawnSync("groupadd", ["--system", accountName]);
  spawnSync("useradd", [
    "--system",
    "--gid",
    accountName,
    "--no-create-home",
    "--shell",
    "/usr/sbin/nologin",
    accountName,
  ]);
  const created = account();
  if (created !== undefined) return created;
  throw new Error(
    `PostgreSQL does not run as root, and the account "${accountName}" cannot be created. ` +
      "Start as another user, or set DATABASE_URL to your own PostgreSQL.",
  );
}

function account(): RunAs | undefined {
  for (const line of readFileSync("/etc/passwd", "utf8").split("\n")) {
    const [name, , uid, gid] = line.split(":");
    if (name === accountName) return { uid: Number(uid), gid: Number(gid) };
  }
  return undefined;
}
