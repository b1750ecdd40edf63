import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describeCluster } from "@kb/db";
import { freePort } from "@kb/db/testing";
import { builtProgram } from "@kb/testing/built-program";
import { compileCache } from "@kb/testing/compile-cache";
import { memoryFolder } from "@kb/testing/memory-folder";
import { readSettings, type Settings } from "../src/env.ts";

type Variables = Readonly<Record<string, string>>;

/** How a process ended, and what it said. */
export type Ended = { readonly code: number | null; readonly stdout: string; readonly stderr: string };

/** A folder of its own and a free port, with commands that run there as a user's would. */
export type Home = {
  readonly folder: string;
  readonly url: string;
  /** As its commands read them. */
  readonly settings: Settings;
  kb(args: readonly string[], env?: Variables): Promise<Ended>;
  /** As `kb`, with `--json`: the one object that it prints. Throws with all that it said if it failed. */
  json(args: readonly string[], env?: Variables): Promise<Record<string, unknown>>;
  /** As `json`, for a command that has to fail: the error that it prints. */
  refusal(args: readonly string[], env?: Variables): Promise<Record<string, unknown>>;
  /** Runs `kb start` until it says `ready`. */
  start(env?: Variables): Promise<Started>;
  /** As `start`, below a shell, as a package manager does it; signals go to the shell. */
  startInShell(env?: Variables): Promise<Started>;
  /** Runs `kb start`, and kills it as soon as the moment has come. */
  killedStart(moment: () => Promise<void>): Promise<Ended>;
  /** Ends what still runs, and takes the folder away. */
  remove(): Promise<void>;
};

/** A running `kb start`. */
export type Started = {
  readonly pid: number;
  /** Its output until it was ready. */
  readonly greeting: string;
  /** Sends the signal and waits for the end. */
  end(signal: NodeJS.Signals): Promise<Ended>;
};

/**
 * Makes a home; nothing of the environment that the tests run in reaches it but the compile cache.
 * @param words the words that run `kb`, by default its bundle
 */
export async function makeHome(variables: Variables = {}, words?: readonly string[]): Promise<Home> {
  const folder = mkdtempSync(join(memoryFolder(), "kb-test-"));
  const port = await freePort();
  const own = words ?? [process.execPath, await builtProgram("kb")];
  const cache = words === undefined ? compileCache : {};
  const env = { PATH: process.env.PATH ?? "", HOME: folder, PORT: String(port), ...cache, ...variables };
  const started: Started[] = [];
  const command = (words: readonly string[], more: Variables = {}): Run => {
    const [first = "", ...rest] = words;
    return follow(spawn(first, rest, { cwd: folder, env: { ...env, ...more } }));
  };
  const kb: Home["kb"] = (args, more) => command([...own, ...args], more).ended;
  const start = async (run: Run): Promise<Started> => {
    const service = await untilReady(run);
    started.push(service);
    return service;
  };
  return {
    folder,
    url: `http://localhost:${port}`,
    settings: { ...readSettings(env), dataDir: join(folder, ".data") },
    kb,
    json: async (args, more) => jsonOf(args, await kb([...args, "--json"], more), 0),
    refusal: async (args, more) => jsonOf(args, await kb([...args, "--json"], more), 1),
    start: (more) => start(command([...own, "start"], more)),
    startInShell: (more) => start(command(["sh", "-c", '"$0" "$@" start; exit $?', ...own], more)),
    killedStart: async (moment) => {
      const run = command([...own, "start"]);
      await Promise.race([moment(), run.ended]);
      run.child.kill("SIGKILL");
      return run.ended;
    },
    remove: async () => {
      for (const service of started) await service.end("SIGTERM");
      // Only where a test failed: its service was killed, and its server lives on.
      const left = describeCluster(join(folder, ".data"));
      if (left !== null) process.kill(left.pid, "SIGQUIT");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Returns the one object that a command printed. Throws with what it said if it ended otherwise than expected. */
function jsonOf(args: readonly string[], { code, stdout, stderr }: Ended, expected: number): Record<string, unknown> {
  if (code === expected && /^\{[^\n]*\}\n$/.test(stdout)) return JSON.parse(stdout);
  const said = [stdout, stderr].map((text) => (text.length > 4_000 ? `${text.slice(0, 4_000)} …` : text));
  throw new Error(`kb ${args.join(" ")} ended with ${code} instead of ${expected}: ${said.join("\n")}`);
}

type Run = {
  readonly child: ChildProcessWithoutNullStreams;
  readonly said: { stdout: string; stderr: string };
  readonly ended: Promise<Ended>;
};

function follow(child: ChildProcessWithoutNullStreams): Run {
  const said = { stdout: "", stderr: "" };
  child.stdout.on("data", (chunk) => (said.stdout += chunk));
  child.stderr.on("data", (chunk) => (said.stderr += chunk));
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, ...said }));
  });
  return { child, said, ended };
}

async function untilReady({ child, said, ended }: Run): Promise<Started> {
  const ready = new Promise<void>((resolve) => {
    child.stdout.on("data", () => {
      if (/^ready http\S+\n$/m.test(said.stdout)) resolve();
    });
  });
  const early = ended.then(({ code, stdout, stderr }) => {
    throw new Error(`kb start ended (${code}): ${stdout}${stderr}`);
  });
  await Promise.race([ready, early]);
  early.catch(() => {});
  return {
    pid: child.pid ?? 0,
    greeting: said.stdout,
    end: (signal) => {
      child.kill(signal);
      return ended;
    },
  };
}
