import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";

/** Options of running the command of a service. */
export type Launch = {
  readonly name: string;
  readonly command: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** User and group of the process, if this process may set them. */
  readonly user: string;
  /** Command of the health check, which succeeds with exit code 0. */
  readonly healthcheck: readonly string[] | undefined;
};

/** A running service. */
export type ServiceProcess = {
  readonly launch: Launch;
  readonly child: ChildProcess;
  /** The output so far. */
  output(): string;
  /** Resolves with its exit code. */
  readonly ended: Promise<number | null>;
  /** Whether it has ended, or never began. */
  isOver(): boolean;
  /** Repeats the health check until it succeeds, from when its port takes connections. @throws {Error} with the output, if the service ends first */
  healthy(): Promise<void>;
  /** Sends the signal and waits for the end; returns the milliseconds that it took. */
  end(signal?: NodeJS.Signals): Promise<number>;
};

const healthyWithinMs = 60_000;
const run = promisify(execFile);

/** Starts a service as a container engine would: with only its environment, as its user. */
export function startService(launch: Launch): ServiceProcess {
  const [program = "", ...parameters] = launch.command;
  const child = spawn(program, parameters, {
    cwd: launch.cwd,
    env: { ...launch.env },
    stdio: ["ignore", "pipe", "pipe"] as const,
    ...asUser(launch.user),
  });
  const said: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => said.push(chunk.toString()));
  let isOver = false;
  child.on("error", (error) => said.push(String(error)));
  // Rejects for a program that does not exist, which never exits.
  const ended = once(child, "exit")
    .then(() => child.exitCode)
    .catch(() => null)
    .finally(() => {
      isOver = true;
    });
  const output = (): string => said.join("");
  return {
    launch,
    child,
    output,
    ended,
    isOver: () => isOver,
    async healthy() {
      const deadline = performance.now() + healthyWithinMs;
      while (!(await isHealthy(launch))) {
        if (isOver || performance.now() > deadline) throw new Error(`${launch.name} is not healthy: ${output()}`);
        await pause(100);
      }
    },
    async end(signal = "SIGTERM") {
      const startedAt = performance.now();
      if (!isOver) child.kill(signal);
      await ended;
      return performance.now() - startedAt;
    },
  };
}

async function isHealthy({ healthcheck, cwd, env, user }: Launch): Promise<boolean> {
  const [program, ...parameters] = healthcheck ?? [];
  if (program === undefined) return true;
  // A check starts a program, which would take processor time from the service that starts.
  if (!(await isListening(Number(env.PORT)))) return false;
  return run(program, parameters, { cwd, env: { ...env }, timeout: 15_000, ...asUser(user) }).then(
    () => true,
    () => false,
  );
}

function isListening(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect(port, "127.0.0.1");
  socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
  return promise.finally(() => socket.destroy());
}

function asUser(user: string): { uid?: number; gid?: number } {
  const [uid, gid] = user.split(":").map(Number);
  if (process.getuid?.() !== 0 || uid === undefined || gid === undefined) return {};
  return { uid, gid };
}
