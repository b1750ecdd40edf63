import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  chownSync,
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { pgDataArgument, serverEnvironment } from "./environment.ts";
import type { Layout } from "./layout.ts";
import type { Programs } from "./programs.ts";
import type { RunAs } from "./run-as.ts";

/** Prefix of a cluster during creation. It is renamed when complete, so a partial one is never started. */
export const unfinishedPrefix = "postgres.unfinished-";

/** Creates the cluster's data if there is none, with a random password that only this account can read. */
export async function initialize(layout: Layout, programs: Programs, account: RunAs, durable: boolean): Promise<void> {
  if (existsSync(layout.pgData)) return;
  const dataDir = dirname(layout.pgData);
  removeUnfinished(dataDir);
  const unfinished = mkdtempSync(join(dataDir, unfinishedPrefix));
  if ("uid" in account) chownSync(unfinished, account.uid, account.gid);
  const password = existingPassword(layout) ?? randomBytes(24).toString("base64url");
  writeFileSync(layout.password, `${password}\n`, { mode: 0o600 });
  await initdb(unfinished, programs, account, `${password}\n`, durable ? [] : ["--no-sync"]);
  renameSync(unfinished, layout.pgData);
}

// An initdb whose parent was killed may still write to its folder, so failures to remove it are ignored.
function removeUnfinished(dataDir: string): void {
  for (const name of readdirSync(dataDir)) {
    if (!name.startsWith(unfinishedPrefix)) continue;
    try {
      rmSync(join(dataDir, name), { recursive: true, force: true, maxRetries: 5 });
    } catch {}
  }
}

/** Returns the password of the cluster; null if there is none yet. */
export function existingPassword(layout: Layout): string | null {
  return existsSync(layout.password) ? readFileSync(layout.password, "utf8").trim() : null;
}

/** Options of initdb for UTF-8 in code point order by PostgreSQL itself, which does not depend on the locales of the machine. */
export const textOptions = ["--encoding=UTF8", "--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C"];

async function initdb(
  pgData: string,
  programs: Programs,
  account: RunAs,
  password: string,
  flags: string[],
): Promise<void> {
  // The account may not be able to reach the file, so it gets the open file as its standard input.
  const copy = `${pgData}.password`;
  writeFileSync(copy, password, { mode: 0o600 });
  if ("uid" in account) chownSync(copy, account.uid, account.gid);
  const input = openSync(copy, "r");
  const passwordFile = process.platform === "win32" ? copy : "/dev/stdin";
  const child = spawn(
    programs.initdb,
    [
      `--pgdata=${pgDataArgument(pgData, account)}`,
      "--username=postgres",
      "--auth=scram-sha-256",
      `--pwfile=${passwordFile}`,
      "--no-instructions",
      ...textOptions,
      ...flags,
    ],
    { ...account, cwd: pgData, env: serverEnvironment(), stdio: [input, "pipe", "pipe"] },
  );
  closeSync(input);
  let output = "";
  child.stdout?.on("data", (chunk: Buffer) => (output += chunk.toString()));
  child.stderr?.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const code = await new Promise((resolve, reject) => child.once("error", reject).once("close", resolve));
  rmSync(copy);
  if (code !== 0) throw new Error(`initdb failed (${code}): ${output.trim().split("\n").slice(-5).join("\n")}`);
}
