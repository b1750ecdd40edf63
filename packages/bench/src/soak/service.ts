import { execFile, spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { migrate } from "@kb/db";
import { freePort } from "@kb/db/testing";

const program = resolve(import.meta.dirname, "../../../../apps/kb/src/main.ts");

/** A `kb start` in its own process, with its own PostgreSQL. */
export type RunningService = {
  readonly origin: string;
  readonly pid: number;
  readonly keys: readonly string[];
  /** The address of the admin. */
  readonly email: string;
  stop(): Promise<number | null>;
};

/**
 * Starts the whole service from its source in a folder, like `./kb start`, with further variables of the environment,
 * and creates `keyCount` keys. It writes its reports to `reports`, and its log to `logFile`, by default to standard error.
 * `flags` are further flags of Node. In a folder that was used before, it has no keys.
 */
export async function startService(
  folder: string,
  reports: string,
  keyCount: number,
  variables: Readonly<Record<string, string>> = {},
  { logFile, flags = [] }: { readonly logFile?: string; readonly flags?: readonly string[] } = {},
): Promise<RunningService> {
  const port = await freePort();
  // The service creates only a database of its own.
  if (variables.DATABASE_URL !== undefined) await migrate(variables.DATABASE_URL);
  const env = {
    ...process.env,
    KB_DATA_DIR: resolve(folder, "kb"),
    PORT: String(port),
    RATE_LIMIT_PER_MINUTE: "1000000",
    LOG_LEVEL: "error",
    MALLOC_MMAP_THRESHOLD_: "1048576",
    ...variables,
    NODE_OPTIONS: `--report-on-signal --report-exclude-network --report-compact --report-directory=${reports}`,
  };
  const log = logFile === undefined ? "inherit" : openSync(logFile, "w");
  const child = spawn(process.execPath, ["--max-semi-space-size=16", ...flags, program, "start", "--json"], {
    env,
    stdio: ["ignore", "pipe", log],
  });
  if (typeof log === "number") closeSync(log);
  const ended = new Promise<number | null>((done) => child.once("exit", (code) => done(code)));
  const { promise, resolve: said } = Promise.withResolvers<string>();
  let heard = "";
  child.stdout?.on("data", (chunk: Buffer) => {
    heard += chunk.toString();
    if (heard.trimEnd().endsWith("}")) said(heard);
  });
  const first = await Promise.race([
    promise,
    ended.then((code) => Promise.reject(new Error(`kb start ended with ${code}`))),
  ]);
  const { email, apiKey } = JSON.parse(first);
  // Only the first start of a folder makes a key.
  const keys = apiKey === undefined ? [] : [String(apiKey)];
  while (keys.length < keyCount) keys.push(await anotherKey(String(email), env));
  return {
    origin: `http://127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    keys,
    email: String(email),
    stop: () => {
      child.kill("SIGTERM");
      return ended;
    },
  };
}

async function anotherKey(email: string, env: NodeJS.ProcessEnv): Promise<string> {
  const command = [program, "key", "create", "--user", email, "--scopes", "read,write", "--json"];
  const { stdout } = await promisify(execFile)(process.execPath, command, { env: { ...env, NODE_OPTIONS: "" } });
  return String(JSON.parse(stdout).key);
}
