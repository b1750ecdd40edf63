import { quantile } from "./probe.ts";
import type { WorstRun } from "./run-worst.ts";

/** Bounds of a run. */
type Bounds = { readonly probeP99Ms: number; readonly residentBytes: number; readonly requestMs: number };

/** The bounds that the service is to keep; docs/performance.md says which of them it misses. */
export const targets: Bounds = { probeP99Ms: 250, residentBytes: 700 * 1024 ** 2, requestMs: 5_000 };

/** The bounds of the suite on processors that are free, and those of the times however busy they are. */
const freeBounds: Bounds = { probeP99Ms: 500, residentBytes: 1_000 * 1024 ** 2, requestMs: 6_000 };
const longestTimes = { probeP99Ms: 2_000, requestMs: 20_000 };

/** Returns the bounds of the suite for a run. `contention` is how many times longer than its processor time work took. */
export const regressionBounds = ({ contention }: Pick<WorstRun, "contention">): Bounds => ({
  probeP99Ms: Math.min(freeBounds.probeP99Ms * contention, longestTimes.probeP99Ms),
  residentBytes: freeBounds.residentBytes,
  requestMs: Math.min(freeBounds.requestMs * contention, longestTimes.requestMs),
});

/** Returns the bounds that a run broke, one sentence for each; none for a good run. */
export function faultsOf({ results, probes, mostResidentBytes }: WorstRun, bounds: Bounds = targets): string[] {
  const p99 = probeP99(probes);
  const failed = probes.filter(({ status }) => status !== 200);
  const memory = Math.round(mostResidentBytes / 1024 ** 2);
  return [
    ...(p99 < bounds.probeP99Ms ? [] : [`p99 of the probes: ${p99.toFixed(0)} ms`]),
    ...(failed.length === 0 ? [] : [`${failed.length} of ${probes.length} probes failed, with ${failed[0]?.status}`]),
    ...(mostResidentBytes < bounds.residentBytes ? [] : [`resident memory: ${memory} MB`]),
    ...results.flatMap(({ input, ms, status, isDocumented }) => {
      const what = `${input.operation}, ${input.title}`;
      return [
        ...(ms < bounds.requestMs ? [] : [`${what}: ${(ms / 1000).toFixed(1)} s`]),
        ...(isDocumented ? [] : [`${what}: status ${status}`]),
      ];
    }),
  ];
}

/** Returns the 99th percentile of the response times of the probes, in milliseconds. */
export const probeP99 = (probes: WorstRun["probes"]): number =>
  quantile(
    probes.map(({ ms }) => ms),
    0.99,
  );
