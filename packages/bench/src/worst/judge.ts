import { type ProbeSample, quantile } from "./probe.ts";
import type { WorstRun } from "./run-worst.ts";

/** Bounds of a run. `probeMs` is that of each probe while equal requests are sent at once. */
type Bounds = {
  readonly probeP99Ms: number;
  readonly probeMs: number;
  readonly residentBytes: number;
  readonly requestMs: number;
};

/** The bounds that the service is to keep; docs/performance.md says which of them it misses. */
const targets: Bounds = { probeP99Ms: 250, probeMs: 250, residentBytes: 700 * 1024 ** 2, requestMs: 5_000 };

/** The bounds of the suite on processors that others use, at a contention of 1, and those of the times however busy they keep them. */
const sharedBounds: Bounds = { probeP99Ms: 500, probeMs: 1_000, residentBytes: 1_000 * 1024 ** 2, requestMs: 6_000 };
const longestTimes = { probeP99Ms: 2_000, requestMs: 20_000 };

/** Up to this contention, which the measurement alone may show, the suite holds the service to its targets. */
const quiet = 1.1;

/** From this contention on, other programs use three quarters of the processors: the service may answer 503 for want of time. */
const starving = 4;

/** Returns the bounds of the suite while work may take `contention` times longer because of other programs. */
export function regressionBounds(contention: number): Bounds {
  if (contention <= quiet) return targets;
  return {
    probeP99Ms: Math.min(sharedBounds.probeP99Ms * contention, longestTimes.probeP99Ms),
    probeMs: sharedBounds.probeMs * contention,
    residentBytes: sharedBounds.residentBytes,
    requestMs: Math.min(sharedBounds.requestMs * contention, longestTimes.requestMs),
  };
}

/** Returns the targets that a run missed, one sentence for each; none for a good run. */
export const missedTargets = (run: WorstRun): string[] => faultsOf(run, () => targets);

/**
 * Returns the bounds of the suite that a run broke. Each request is judged by the contention while it ran, and a probe may get 503 while
 * other programs starve the service.
 */
export const regressions = (run: WorstRun): string[] => {
  const isStarved = ({ at, ms, status }: ProbeSample): boolean =>
    status === 503 && run.contention.during(at, at + ms) >= starving;
  return faultsOf({ ...run, probes: run.probes.filter((probe) => !isStarved(probe)) }, regressionBounds);
};

function faultsOf(run: WorstRun, boundsOf: (contention: number) => Bounds): string[] {
  const { results, probes, mostResidentBytes, contention } = run;
  const bounds = boundsOf(contention.worst);
  const p99 = probeP99(probes);
  const failed = probes.filter(({ status }) => status !== 200);
  const memory = Math.round(mostResidentBytes / 1024 ** 2);
  return [
    ...(p99 < bounds.probeP99Ms ? [] : [`p99 of the probes: ${p99.toFixed(0)} ms`]),
    ...(failed.length === 0 ? [] : [`${failed.length} of ${probes.length} probes failed, with ${failed[0]?.status}`]),
    ...(mostResidentBytes < bounds.residentBytes ? [] : [`resident memory: ${memory} MB`]),
    ...results.flatMap(({ input, ms, status, isDocumented, slowestProbeMs, from, to }) => {
      const what = `${input.operation}, ${input.title}`;
      const { requestMs, probeMs } = boundsOf(contention.during(from, to));
      const delays = input.copies !== undefined && slowestProbeMs >= probeMs;
      return [
        ...(delays ? [`${what}: a probe took ${slowestProbeMs.toFixed(0)} ms`] : []),
        ...(ms < requestMs ? [] : [`${what}: ${(ms / 1000).toFixed(1)} s`]),
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
