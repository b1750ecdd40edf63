import { type Slice, slice } from "./load.ts";
import { median } from "./median.ts";
import { cpuMs, type ServerProcess } from "./processes.ts";
import type { Scenario } from "./scenarios.ts";

/** The figures of one scenario. `ratio` is the service's throughput divided by the floor's, the median of the rounds. */
export type Result = {
  readonly name: string;
  readonly aim: number;
  readonly perSecond: number;
  readonly floorPerSecond: number;
  readonly ratio: number;
  readonly p50: number;
  readonly p95: number;
  /** The floor's CPU time per request divided by the service's. Like `ratio`, but without the noise of the load generator. */
  readonly cpuRatio: number | undefined;
};

const rounds = 5;
const sliceMs = 1_500;
const defaultWarmUpMs = 1_000;

/**
 * Alternates slices of load on the service and on its floor, so that a slower machine affects both. `floorScenario` is the
 * floor's scenario if it is a different one.
 */
export async function measure(
  [service, floor]: readonly [ServerProcess, ServerProcess],
  key: string,
  scenario: Scenario,
  { floorScenario = scenario, warmUpMs = defaultWarmUpMs }: { floorScenario?: Scenario; warmUpMs?: number } = {},
): Promise<Result> {
  let n = 0;
  const run = async (server: ServerProcess, durationMs: number): Promise<Slice & { cpu: number | undefined }> => {
    const before = cpuMs(server.pid);
    const done = await slice({ port: server.port, key }, server === floor ? floorScenario : scenario, n, durationMs);
    n += done.count;
    const after = cpuMs(server.pid);
    return { ...done, cpu: before === undefined || after === undefined ? undefined : (after - before) / done.count };
  };
  await run(service, warmUpMs);
  await run(floor, warmUpMs);
  const pairs: { ours: Awaited<ReturnType<typeof run>>; theirs: Awaited<ReturnType<typeof run>> }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const ours = await run(service, sliceMs);
    pairs.push({ ours, theirs: await run(floor, sliceMs) });
  }
  const latencies = pairs.flatMap(({ ours }) => ours.latencies).sort((a, b) => a - b);
  const cpuRatios = pairs.flatMap(({ ours, theirs }) => (ours.cpu && theirs.cpu ? [theirs.cpu / ours.cpu] : []));
  return {
    name: scenario.name,
    aim: scenario.aim,
    perSecond: median(pairs.map(({ ours }) => ours.perSecond)),
    floorPerSecond: median(pairs.map(({ theirs }) => theirs.perSecond)),
    ratio: median(pairs.map(({ ours, theirs }) => ours.perSecond / theirs.perSecond)),
    p50: latencies[Math.floor(latencies.length * 0.5)] ?? Number.NaN,
    p95: latencies[Math.floor(latencies.length * 0.95)] ?? Number.NaN,
    cpuRatio: cpuRatios.length === 0 ? undefined : median(cpuRatios),
  };
}
