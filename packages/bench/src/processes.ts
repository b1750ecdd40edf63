import { type ChildProcess, spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:net";

/** A server in a process of its own. */
export type ServerProcess = { readonly port: number; readonly pid: number; stop(): Promise<void> };

/** Starts a script and waits until it says `ready`. */
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

/** A port that nobody listens on. */
export function freePort(): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const server = createServer();
  server.once("error", reject);
  server.listen(0, "127.0.0.1", () => {
    const address = server.address();
    server.close(() => (typeof address === "object" && address ? resolve(address.port) : reject(new Error("no port"))));
  });
  return promise;
}

/** CPU time of a process so far, in milliseconds; undefined where the system does not tell (/proc is Linux's). */
export function cpuMs(pid: number): number | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
    const ticks = Number(fields[11]) + Number(fields[12]);
    return Number.isNaN(ticks) ? undefined : ticks * 10;
  } catch {
    return undefined;
  }
}

/** The same for the children of a process: those of PostgreSQL's first process serve the connections. */
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
    // It has ended meanwhile.
    return undefined;
  }
}
