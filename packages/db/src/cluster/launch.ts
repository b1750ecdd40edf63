import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { pgDataArgument, serverEnvironment } from "./environment.ts";
import { choosePort, keptPort } from "./kept-port.ts";
import type { Layout } from "./layout.ts";
import { findPostmaster, type Postmaster } from "./postmaster.ts";
import type { Programs } from "./programs.ts";
import type { RunAs } from "./run-as.ts";

/** Settings of postgresql.conf, by name. */
export type Settings = Record<string, string>;

const pollMs = 20;
// Recovery after a crash reads the write-ahead log since the last checkpoint, which can take minutes.
const readyWithinMs = 300_000;
const attempts = 40;
// A port may be in use for a moment by the workers of a killed postmaster; after that, another program listens on it.
const attemptsPerPort = 10;
const betweenAttemptsMs = 250;

const defaultSettings: Settings = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  timezone: "UTC",
  log_timezone: "UTC",
  log_checkpoints: "off",
};

/** Options of one start. */
export type LaunchOptions = {
  readonly settings: Settings;
  /** Undefined: the port that the data folder keeps, or a new one if another program listens on that. */
  readonly port: number | undefined;
  readonly onProgress: (message: string) => void;
};

/** Starts PostgreSQL in its own session, out of reach of signals to this process group, and waits until it serves. */
export async function launch(
  layout: Layout,
  programs: Programs,
  account: RunAs,
  { settings, port: fixedPort, onProgress }: LaunchOptions,
): Promise<Postmaster> {
  // The caller has checked that the process in the file is no postmaster of this folder, which PostgreSQL cannot do.
  rmSync(join(layout.pgData, "postmaster.pid"), { force: true });
  let port = fixedPort ?? keptPort(layout) ?? (await choosePort(layout));
  for (let attempt = 1; ; attempt += 1) {
    const problem = await launchOnce(layout, programs, account, settings, port);
    if (typeof problem !== "string") return problem;
    if (attempt === attempts || !isTransient(problem)) throw new Error(`PostgreSQL did not start: ${problem}`);
    if (fixedPort === undefined && isPortTaken(problem) && attempt % attemptsPerPort === 0) {
      const taken = port;
      port = await choosePort(layout);
      onProgress(`another program uses port ${taken}; from now on the database listens on port ${port}`);
    }
    await pause(betweenAttemptsMs);
  }
}

// The workers of a killed postmaster need a moment to end; another process may take the port before it is used.
const isTransient = (problem: string): boolean =>
  /pre-existing shared memory block/i.test(problem) || isPortTaken(problem);

const isPortTaken = (problem: string): boolean => /could not bind|address already in use/i.test(problem);

async function launchOnce(
  layout: Layout,
  programs: Programs,
  account: RunAs,
  settings: Settings,
  port: number,
): Promise<Postmaster | string> {
  const logStart = prepareLog(layout.log);
  const log = openSync(layout.log, "a", 0o600);
  const options = Object.entries({ ...defaultSettings, ...settings }).flatMap(([name, value]) => [
    "-c",
    `${name}=${value}`,
  ]);
  const child = spawn(
    programs.postgres,
    ["-D", pgDataArgument(layout.pgData, account), "-p", String(port), ...options],
    { ...account, cwd: layout.pgData, env: serverEnvironment(), detached: true, stdio: ["ignore", log, log] },
  );
  closeSync(log);
  child.unref();
  const postmaster = await untilReady(child, layout.pgData);
  return postmaster ?? readFileSync(layout.log, "utf8").slice(logStart).trim().split("\n").slice(-6).join("\n");
}

function untilReady(child: ChildProcess, pgData: string): Promise<Postmaster | null> {
  let ended = false;
  child.once("exit", () => (ended = true));
  child.once("error", () => (ended = true));
  return untilServing(
    () => ended,
    async () => {
      const found = findPostmaster(pgData);
      return found?.ready === true ? found : null;
    },
  );
}

/** Waits for a postmaster that starts or recovers; returns null when `hasEnded` returns true. */
export async function untilServing(
  hasEnded: () => boolean,
  look: () => Promise<Postmaster | null>,
): Promise<Postmaster | null> {
  const deadline = performance.now() + readyWithinMs;
  while (!hasEnded()) {
    const postmaster = await look();
    if (postmaster !== null) return postmaster;
    if (performance.now() > deadline) throw new Error(`PostgreSQL is not ready after ${readyWithinMs / 1_000} s`);
    await pause(pollMs);
  }
  return null;
}

const logLimitBytes = 5_000_000;

function prepareLog(path: string): number {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size < logLimitBytes) return size;
  renameSync(path, `${path}.1`);
  return 0;
}

/** Resolves after `ms` milliseconds. */
export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
