import { pairs } from "../assistant-scenarios.ts";
import { type MeasuredServer, type MeasuredSlice, measuredSlice } from "../measured-slice.ts";
import { median } from "../median.ts";
import type { Scenario } from "../scenarios.ts";
import { residentBytes } from "../soak/process-state.ts";
import type { HotPath, PathSubject } from "./paths.ts";
import type { MeasuredPath, MeasuredRead } from "./report.ts";

/** The service and its floor. */
export type Servers = { readonly service: MeasuredServer; readonly floor: MeasuredServer };

type Options = { readonly rounds: number };

const concurrency = 20;
const sliceMs = 2_000;
const warmUpMs = 1_500;

/** Returns a function that measures the next slice of a scenario; each request has a number of its own. */
function numbered() {
  let n = 0;
  return async (server: MeasuredServer, scenario: Scenario, durationMs = sliceMs): Promise<MeasuredSlice> => {
    const done = await measuredSlice(server, scenario, n, { durationMs, concurrency });
    n += done.count;
    return done;
  };
}

/** Alternates slices on the service and on its floor, so that a slower machine affects both. Figures are medians. */
export async function measurePath(
  { service, floor }: Servers,
  path: HotPath,
  { rounds }: Options,
): Promise<MeasuredPath> {
  const run = numbered();
  await run(service, path.scenario, warmUpMs);
  await run(floor, path.scenario, warmUpMs / 3);
  const rows: { ours: MeasuredSlice; theirs: MeasuredSlice }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const ours = await run(service, path.scenario);
    rows.push({ ours, theirs: await run(floor, path.scenario) });
  }
  return {
    path,
    memoryBytes: residentBytes(service.pid),
    ...summary(rows.map(({ ours }) => ours)),
    floorPerSecond: median(rows.map(({ theirs }) => theirs.perSecond)),
    ratio: median(rows.map(({ ours, theirs }) => ours.perSecond / theirs.perSecond)),
  };
}

/** Measures the same read over REST, by an assistant without a session, and in one; their slices take turns. */
export async function assistantReads(
  service: MeasuredServer,
  { documentId }: PathSubject,
  session: string,
  { rounds }: Options,
): Promise<MeasuredRead[]> {
  const subjects = { documentId, appendTargets: [] };
  const [stateless] = pairs({ name: "stateless", aim: 0 }, subjects);
  const [inSession] = pairs({ name: "in a session", aim: 0, session }, subjects);
  if (stateless === undefined || inSession === undefined) throw new Error("no read");
  const scenarios = [stateless.rest, stateless.mcp, inSession.mcp];
  const run = numbered();
  const slices = scenarios.map((): MeasuredSlice[] => []);
  for (const scenario of scenarios) await run(service, scenario, 2 * warmUpMs);
  for (let round = 0; round < rounds; round += 1) {
    for (const [at, scenario] of scenarios.entries()) slices[at]?.push(await run(service, scenario));
  }
  const rest = slices[0] ?? [];
  return scenarios.map(({ name }, at) => {
    const own = slices[at] ?? [];
    const shares = own.map(({ serverMs }, round) => serverMs / (rest[round]?.serverMs ?? Number.NaN));
    return { name, ...summary(own), cpuShare: median(shares) };
  });
}

function summary(slices: readonly MeasuredSlice[]) {
  const latencies = slices.flatMap((slice) => slice.latencies).sort((a, b) => a - b);
  return {
    perSecond: median(slices.map(({ perSecond }) => perSecond)),
    p95: latencies[Math.floor(latencies.length * 0.95)] ?? Number.NaN,
    serverMs: median(slices.map(({ serverMs }) => serverMs)),
    databaseMs: median(slices.map(({ databaseMs }) => databaseMs)),
  };
}
