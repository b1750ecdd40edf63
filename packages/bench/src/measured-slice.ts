import { type Slice, slice, type Target } from "./load.ts";
import { childrenCpuMs, cpuMs } from "./processes.ts";
import type { Scenario } from "./scenarios.ts";

/** A slice of load with the CPU time per request of the server and of PostgreSQL, in milliseconds. */
export type MeasuredSlice = Slice & { readonly serverMs: number; readonly databaseMs: number };

/** The server under load: its address, credential and process, and the first process of its PostgreSQL. */
export type MeasuredServer = Target & { readonly pid: number; readonly postgresPid: number };

/** Sends requests for `durationMs` by `concurrency` clients, and measures their CPU time. `from` is the number of the first. */
export async function measuredSlice(
  server: MeasuredServer,
  scenario: Scenario,
  from: number,
  { durationMs, concurrency }: { readonly durationMs: number; readonly concurrency: number },
): Promise<MeasuredSlice> {
  const read = () => ({ server: cpuMs(server.pid) ?? 0, database: childrenCpuMs(server.postgresPid) ?? 0 });
  const before = read();
  const done = await slice(server, scenario, from, durationMs, concurrency);
  const after = read();
  return {
    ...done,
    serverMs: (after.server - before.server) / done.count,
    databaseMs: (after.database - before.database) / done.count,
  };
}
