import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";
import { contentionBetween, readProcessorTimes, watchContention } from "./contention.ts";
import { regressionBounds, regressions } from "./judge.ts";

const second = { at: 1_000, totalMs: 2_000, usedMs: 0, ownMs: 0 };
const beginning = { at: 0, totalMs: 0, usedMs: 0, ownMs: 0 };

it("while no other program uses the processors, the bounds are the targets of the service", () => {
  const targets = { probeP99Ms: 250, probeMs: 250, residentBytes: 700 * 1024 ** 2, requestMs: 5_000 };
  expect(regressionBounds(1)).toEqual(targets);
  expect(regressionBounds(1.1)).toEqual(targets);
});

it("the bounds of times grow with the load of other programs to a limit, and that of memory does not", () => {
  const residentBytes = 1_000 * 1024 ** 2;
  expect(regressionBounds(2)).toEqual({ residentBytes, probeP99Ms: 1_000, probeMs: 2_000, requestMs: 12_000 });
  expect(regressionBounds(50)).toEqual({ residentBytes, probeP99Ms: 2_000, probeMs: 50_000, requestMs: 20_000 });
});

it("processor time of the service widens no bound, however much it takes of the processors", () => {
  for (const usedMs of [0, 500, 1_000, 2_000]) {
    expect(contentionBetween(beginning, { ...second, usedMs, ownMs: usedMs })).toBe(1);
  }
  expect(contentionBetween(beginning, { ...second, usedMs: 2_000, ownMs: 1_000 })).toBe(2);
  expect(contentionBetween(beginning, { ...second, usedMs: 2_000, ownMs: 200 })).toBe(10);
  expect(contentionBetween(beginning, { ...second, usedMs: 2_000, ownMs: 0 })).toBe(50);
});

it("a process that leaves the tree with its times does not count as load of others", () => {
  const before = { at: 0, totalMs: 0, usedMs: 5_000, ownMs: 5_000 };
  expect(contentionBetween(before, { at: 1_000, totalMs: 2_000, usedMs: 5_000, ownMs: 1_000 })).toBe(1);
});

it("own time is that of this process and of its children, also of those that have ended", { timeout: 300_000 }, () => {
  const burn = (ms: number): void => {
    const before = process.cpuUsage();
    for (;;) {
      const { user, system } = process.cpuUsage(before);
      if (user + system >= ms * 1_000) return;
    }
  };
  const ownMs = (): number => readProcessorTimes()?.ownMs ?? Number.NaN;
  const first = ownMs();
  burn(60);
  const second = ownMs();
  spawnSync(process.execPath, ["-e", "while (process.cpuUsage().user < 60_000);"]);
  const third = ownMs();
  expect(second - first).toBeGreaterThanOrEqual(40);
  expect(third - second).toBeGreaterThanOrEqual(40);
});

it("a request is judged by the load of other programs while it ran, and the probes by the worst second of a hundred", () => {
  const readings = [beginning, { ...second, usedMs: 1_000 }];
  const contention = watchContention(() => readings.shift()).stop();
  expect([contention.worst, contention.during(900, 1_900), contention.during(1_100, 1_900)]).toEqual([2, 2, 1]);
  const sent = { input: { operation: "sample", title: "slow" }, status: 200, isDocumented: true, ms: 7_000, bytes: 1 };
  const result = { ...sent, slowestProbeMs: 900, residentBytes: 1 };
  const probes = [{ at: 0, path: "/", ms: 900, status: 200 }];
  const run = { results: [{ ...result, from: 900, to: 7_900 }], probes, mostResidentBytes: 1, contention };
  expect(regressions(run)).toEqual([]);
  expect(regressions({ ...run, results: [{ ...result, from: 1_100, to: 8_100 }] })).toEqual(["sample, slow: 7.0 s"]);
  const quiet = { worst: 1, during: () => 1 };
  expect(regressions({ ...run, results: [], contention: quiet })).toEqual(["p99 of the probes: 900 ms"]);
});

it("a probe that gets 503 is a fault, unless other programs use three quarters of the processors", () => {
  const probes = [{ at: 0, path: "/", ms: 100, status: 503 }];
  const faultsWith = (factor: number, status = 503): string[] => {
    const contention = { worst: factor, during: () => factor };
    const answered = probes.map((probe) => ({ ...probe, status }));
    return regressions({ results: [], probes: answered, mostResidentBytes: 1, contention });
  };
  expect(faultsWith(1)).toEqual(["1 of 1 probes failed, with 503"]);
  expect(faultsWith(3.9)).toEqual(["1 of 1 probes failed, with 503"]);
  expect(faultsWith(4)).toEqual([]);
  expect(faultsWith(4, 500)).toEqual(["1 of 1 probes failed, with 500"]);
});

it("many equal requests at once are a fault if one probe takes longer than its bound, however fast the others are", () => {
  const input = { operation: "sample", title: "at once", copies: 40 };
  const sent = { input, status: 503, isDocumented: true, ms: 900, bytes: 1, residentBytes: 1, from: 0, to: 900 };
  const probes = Array.from({ length: 1_000 }, (_, at) => ({ at, path: "/", ms: 2, status: 200 }));
  const contention = { worst: 1, during: () => 1 };
  const faultsWith = (slowestProbeMs: number): string[] =>
    regressions({ results: [{ ...sent, slowestProbeMs }], probes, mostResidentBytes: 1, contention });
  expect(faultsWith(240)).toEqual([]);
  expect(faultsWith(260)).toEqual(["sample, at once: a probe took 260 ms"]);
});
