import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { fillSoak } from "./fill-soak.ts";
import { openFiles, pause, residentBytes, type State, stateOf } from "./process-state.ts";
import { type SoakData, sender, type Tally } from "./requests.ts";
import { sendEvenly } from "./send-evenly.ts";
import { type RunningService, startService } from "./service.ts";
import { type Sample, slopeOf } from "./slope.ts";
import { openStreams, type Streams } from "./streams.ts";

// `soak --minutes 30` runs `kb start` from its source under an even load, with open streams, exports, and clients that
// disconnect. Prints the growth of its memory after the warm-up, and its files and handles before and after the load.

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "30" },
    rate: { type: "string", default: "50" },
    streams: { type: "string", default: "200" },
  },
});
const minutes = Number(values.minutes);
const perSecond = Number(values.rate);
const streamCount = Number(values.streams);

const megabyte = 1024 ** 2;
const targetPerMinute = 1;
/** A key may have at most 50 sessions of MCP (`sessionsPerPrincipal`), and each stream belongs to one. */
const keyCount = Math.max(2, Math.ceil(streamCount / 50));
const sampleEveryMs = 5_000;
const settleMs = 40_000;
const backWithinMs = 120_000;

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "kb-soak-"));
  const reports = mkdtempSync(join(tmpdir(), "kb-soak-reports-"));
  const service = await startService(folder, reports, keyCount);
  try {
    const data = await fillSoak(service.origin, service.keys);
    // Warms up first, so that one-time costs (compiled code, prepared statements) do not count as growth.
    await load(service, data, 15, new Map());
    await pause(settleMs);
    const before = await stateOf(service.pid, reports);
    const samples: Sample[] = [];
    const { tally, streams } = await soak(service, data, samples);
    const after = await waitForInitialFiles(service.pid, reports, before);
    print({ samples, tally, streams, before, after });
  } finally {
    const code = await service.stop();
    console.log(`SIGTERM: ended with ${code}`);
    rmSync(folder, { recursive: true, force: true });
    rmSync(reports, { recursive: true, force: true });
  }
}

async function load(
  service: RunningService,
  data: SoakData,
  seconds: number,
  failures: Map<string, number>,
): Promise<Tally> {
  const { send, tally, close } = sender(service.origin, service.keys, data);
  await sendEvenly(send, perSecond, seconds);
  close();
  for (const [what, count] of tally.failed) failures.set(what, count);
  return tally;
}

async function soak(
  service: RunningService,
  data: SoakData,
  samples: Sample[],
): Promise<{ tally: Tally; streams: Streams }> {
  const streams = await openStreams(service.origin, service.keys, streamCount);
  const started = performance.now();
  const cutting = setInterval(() => streams.cutOne(), 1_000);
  const sampling = setInterval(() => sample(service.pid, started, streams, samples), sampleEveryMs);
  try {
    const tally = await load(service, data, minutes * 60, new Map());
    return { tally, streams };
  } finally {
    clearInterval(cutting);
    clearInterval(sampling);
    streams.close();
  }
}

function sample(pid: number, started: number, streams: Streams, samples: Sample[]): void {
  const at = (performance.now() - started) / 60_000;
  samples.push({ at, value: residentBytes(pid) / megabyte });
  if (samples.length % 12 !== 0) return;
  const resident = samples.at(-1)?.value.toFixed(0);
  console.log(`${at.toFixed(1)} min: ${resident} MB, ${openFiles(pid)} files, ${streams.open} streams open`);
}

/** Waits until the process has no more open files than before the load, because its pool closes idle connections late. */
async function waitForInitialFiles(pid: number, reports: string, before: State): Promise<State> {
  const deadline = performance.now() + backWithinMs;
  for (;;) {
    await pause(5_000);
    const now = await stateOf(pid, reports);
    if (now.files <= before.files || performance.now() > deadline) return now;
  }
}

type Outcome = { samples: readonly Sample[]; tally: Tally; streams: Streams; before: State; after: State };

function print({ samples, tally, streams, before, after }: Outcome): void {
  const settled = samples.filter(({ at }) => at > minutes / 6);
  const slope = slopeOf(settled);
  const handles = (state: State): string =>
    `${state.files} files, ${Object.entries(state.handles)
      .map(([type, count]) => `${count} ${type}`)
      .join(", ")}`;
  const failed = [...tally.failed].map(([what, count]) => `${count} × ${what}`);
  console.log(
    `${tally.sent} requests, ${tally.good} succeeded, ${tally.aborted} aborted by the client, failed: ${failed.join("; ") || "none"}`,
  );
  console.log(`${streamCount} streams received ${streams.heard} messages; refused: ${streams.refused}`);
  console.log(`memory: ${slope.toFixed(2)} MB per minute after the warm-up (target < ${targetPerMinute})`);
  console.log(`before: ${handles(before)}; heap ${(before.heapBytes / megabyte).toFixed(0)} MB`);
  console.log(`after: ${handles(after)}; heap ${(after.heapBytes / megabyte).toFixed(0)} MB`);
  if (slope >= targetPerMinute || after.files > before.files || failed.length > 0 || streams.refused > 0)
    process.exitCode = 1;
}

await main();
