import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { corpus } from "../corpus.ts";
import { openFiles, pause, residentBytes, type State, stateOf } from "./process-state.ts";
import { type Ground, sender, type Tally } from "./requests.ts";
import { type RunningService, startService } from "./service.ts";
import { type Sample, slopeOf } from "./slope.ts";
import { openStreams, type Streams } from "./streams.ts";

// `soak --minutes 30`: `kb start` from its source under an even load, with streams that stay open, exports, and clients that
// go away. Prints how its memory grows after the warm-up, and what it holds before and behind the load.

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
const aimPerMinute = 1;
/** A session of an assistant holds one stream; a principal has 50 of them at most. */
const keyCount = Math.max(2, Math.ceil(streamCount / 50));
const documentCount = 200;
const sampleEveryMs = 5_000;
const settleMs = 40_000;
const backWithinMs = 120_000;

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "kb-soak-"));
  const reports = mkdtempSync(join(tmpdir(), "kb-soak-reports-"));
  const service = await startService(folder, reports, keyCount);
  try {
    const ground = await fill(service);
    // What the first use of everything makes once (compiled code, prepared statements) belongs to the start.
    await load(service, ground, 15, new Map());
    await pause(settleMs);
    const before = await stateOf(service.pid, reports);
    const samples: Sample[] = [];
    const { tally, streams } = await soak(service, ground, samples);
    const after = await backToStart(service.pid, reports, before);
    print({ samples, tally, streams, before, after });
  } finally {
    const code = await service.stop();
    console.log(`SIGTERM: ended with ${code}`);
    rmSync(folder, { recursive: true, force: true });
    rmSync(reports, { recursive: true, force: true });
  }
}

async function fill({ origin, keys }: RunningService): Promise<Ground> {
  const headers = { authorization: `Bearer ${keys[0]}`, "content-type": "application/json" };
  const post = async (path: string, body: object): Promise<{ id: string }> => {
    const answer = await fetch(`${origin}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
    const { data } = await answer.json();
    return data;
  };
  const { id: collectionId } = await post("/api/v1/collections", { name: "Soak" });
  const { texts } = corpus();
  const documents: string[] = [];
  for (let n = 0; n < documentCount; n += 1) {
    const text = texts[(n * 13) % texts.length] ?? "";
    documents.push((await post("/api/v1/documents", { collectionId, title: `Document ${n}`, text, publish: true })).id);
  }
  return { collectionId, documents, body: (texts[0] ?? "").slice(0, 4_000).toWellFormed() };
}

/** Sends at an even rate for so many seconds, whatever has not been answered yet. */
async function load(
  service: RunningService,
  ground: Ground,
  seconds: number,
  failures: Map<string, number>,
): Promise<Tally> {
  const { send, tally, close } = sender(service.origin, service.keys, ground);
  const started = performance.now();
  const running = new Set<Promise<void>>();
  for (let n = 0; n < seconds * perSecond; n += 1) {
    const due = started + (n * 1_000) / perSecond;
    const wait = due - performance.now();
    if (wait > 1) await pause(wait);
    const call = send(n).finally(() => running.delete(call));
    running.add(call);
  }
  await Promise.all(running);
  close();
  for (const [what, count] of tally.failed) failures.set(what, count);
  return tally;
}

async function soak(
  service: RunningService,
  ground: Ground,
  samples: Sample[],
): Promise<{ tally: Tally; streams: Streams }> {
  const streams = await openStreams(service.origin, service.keys, streamCount);
  const started = performance.now();
  const cutting = setInterval(() => streams.cutOne(), 1_000);
  const sampling = setInterval(() => sample(service.pid, started, streams, samples), sampleEveryMs);
  try {
    const tally = await load(service, ground, minutes * 60, new Map());
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

/** Waits until the process holds no more than before the load: connections in its pool are closed when idle for a while. */
async function backToStart(pid: number, reports: string, before: State): Promise<State> {
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
    `${tally.sent} requests, ${tally.good} good, ${tally.aborted} given up, failed: ${failed.join("; ") || "none"}`,
  );
  console.log(`${streamCount} streams heard ${streams.heard} messages; refused: ${streams.refused}`);
  console.log(`memory: ${slope.toFixed(2)} MB a minute after the warm-up (aim < ${aimPerMinute})`);
  console.log(`before: ${handles(before)}; heap ${(before.heapBytes / megabyte).toFixed(0)} MB`);
  console.log(`after: ${handles(after)}; heap ${(after.heapBytes / megabyte).toFixed(0)} MB`);
  if (slope >= aimPerMinute || after.files > before.files || failed.length > 0 || streams.refused > 0)
    process.exitCode = 1;
}

await main();
