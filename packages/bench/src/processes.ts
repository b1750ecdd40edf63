import { type ChildProcess, spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

/** A server in its own process. */
export type ServerProcess = { readonly port: number; readonly pid: number; stop(): Promise<void> };

/** Starts a script and waits until it prints `ready`. @throws {Error} if it ends before */
export async function startServer(
  script: string,
  args: readonly string[],
  port: number,
  environment: Record<string, string> = {},
): Promise<ServerProcess> {
  const child = spawn(process.execPath, [script, ...args], {
    env: { ...process.env, ...environment },
    stdio: ["ignore", "pipe", "inherit"],
  });
  await ready(child, script);
  return { port, pid: child.pid ?? 0, stop: () => stop(child) };
}

function ready(child: ChildProcess, script: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let heard = "";
  child.stdout?.on("data", (chunk: Buffer) => {
    heard = (heard + chunk.toString()).slice(-10_000);
    if (heard.includes("ready ")) resolve();
  });
  child.once("exit", (code) => reject(new Error(`${script} ended with ${code} before it served: ${heard}`)));
  return promise;
}

function stop(child: ChildProcess): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  child.once("exit", () => resolve());
  child.kill("SIGTERM");
  return promise;
}

/** Returns the CPU time of a process so far, in milliseconds; undefined without /proc, which only Linux has. */
export function cpuMs(pid: number): number | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
    const ticks = Number(fields[11]) + Number(fields[12]);
    return Number.isNaN(ticks) ? undefined : ticks * 10;
  } catch {
    return undefined;
  }
}

/** Returns the CPU time of the children of a process. Those of PostgreSQL's first process serve the connections. */
export function childrenCpuMs(pid: number): number | undefined {
  try {
    const others = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
    const children = others.filter((name) => parentOf(name) === pid);
    return children.reduce((sum, name) => sum + (cpuMs(Number(name)) ?? 0), 0);
  } catch {
    return undefined;
  }
}

function parentOf(pid: string): number | undefined {
  try {
    return Number(readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ")[1]);
  } catch {
    // The process has ended in the meantime.
    return undefined;
  }
}
