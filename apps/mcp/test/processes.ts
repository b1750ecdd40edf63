import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { builtProgram } from "@kb/testing/built-program";
import { compileCache } from "@kb/testing/compile-cache";

/** A program of the service in a separate process. */
export type Started = {
  readonly child: ChildProcess;
  /** Its complete output. */
  output(): string;
  /** Sends the signal and waits until the process has ended. */
  end(signal: NodeJS.Signals): Promise<number | null>;
};

/** The commands that start them, from the bundles of their sources. */
export const commands = {
  mcp: async () => [await builtProgram("mcp")],
  kb: async () => [await builtProgram("kb"), "start"],
};

/** Starts a program with only the given environment and the compile cache, and waits until it reports that it is ready. */
export async function startProgram(
  command: readonly string[],
  environment: Readonly<Record<string, string>>,
  cwd?: string,
): Promise<Started> {
  const env = { PATH: process.env.PATH ?? "", ...compileCache, ...environment };
  const child = spawn(process.execPath, command, {
    env,
    stdio: ["ignore", "pipe", "pipe"],
    ...(cwd === undefined ? {} : { cwd }),
  });
  let said = "";
  const exited = once(child, "exit");
  const ready = new Promise<void>((resolve) => {
    const hear = (chunk: Buffer): void => {
      said += chunk.toString();
      if (/ready http/.test(said)) resolve();
    };
    child.stdout.on("data", hear);
    child.stderr.on("data", hear);
  });
  const early = exited.then(([code]) => {
    throw new Error(`${command.join(" ")} ended (${code}): ${said}`);
  });
  early.catch(() => {});
  await Promise.race([ready, early]);
  return {
    child,
    output: () => said,
    end: async (signal) => {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill(signal);
        await exited;
      }
      return child.exitCode;
    },
  };
}
