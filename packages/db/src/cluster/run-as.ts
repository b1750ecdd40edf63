import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** The account that runs PostgreSQL; empty when it is our own. */
export type RunAs = { uid: number; gid: number } | Record<string, never>;

const accountName = "postgres";

/**
 * PostgreSQL refuses to run as root: root runs it as the account `postgres`, which is made where it is missing. Everybody
 * else runs it as themselves.
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
    `PostgreSQL does not run as root, and the account "${accountName}" could not be made. ` +
      "Start as another user, or set DATABASE_URL to a PostgreSQL of your own.",
  );
}

function account(): RunAs | undefined {
  for (const line of readFileSync("/etc/passwd", "utf8").split("\n")) {
    const [name, , uid, gid] = line.split(":");
    if (name === accountName) return { uid: Number(uid), gid: Number(gid) };
  }
  return undefined;
}
