import { globSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

/** Returns the resident memory of a process, in bytes. */
export function residentBytes(pid: number): number {
  const found = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return Number(found) * 1024;
}

/** Returns the number of open files and sockets of a process. */
export const openFiles = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length;

const Report = z.object({
  javascriptHeap: z.object({ usedMemory: z.number() }),
  libuv: z.array(z.object({ type: z.string(), is_active: z.boolean().optional() })),
});

/** The open files of a process, the active handles of its event loop by kind, and the used JavaScript heap. */
export type State = {
  readonly files: number;
  readonly handles: Readonly<Record<string, number>>;
  readonly heapBytes: number;
};

const reportWithinMs = 20_000;

/** Reads the state of a process that was started with `--report-on-signal`. */
export async function stateOf(pid: number, reports: string): Promise<State> {
  for (const file of globSync("*.json", { cwd: reports })) rmSync(join(reports, file));
  const files = openFiles(pid);
  process.kill(pid, "SIGUSR2");
  const deadline = performance.now() + reportWithinMs;
  for (;;) {
    const report = readReport(reports);
    if (report !== null) {
      const active = report.libuv.filter((handle) => handle.is_active !== false && handle.type !== "loop");
      const handles: Record<string, number> = {};
      for (const { type } of active) handles[type] = (handles[type] ?? 0) + 1;
      return { files, handles, heapBytes: report.javascriptHeap.usedMemory };
    }
    if (performance.now() > deadline) throw new Error("the process writes no report");
    await pause(100);
  }
}

function readReport(reports: string): z.output<typeof Report> | null {
  const [file] = globSync("*.json", { cwd: reports });
  if (file === undefined) return null;
  try {
    return Report.parse(JSON.parse(readFileSync(join(reports, file), "utf8")));
  } catch {
    // The process is still writing it.
    return null;
  }
}

/** Resolves after `ms` milliseconds. */
export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
