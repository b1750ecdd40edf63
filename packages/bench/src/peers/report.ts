import { markdownTable } from "../write-results.ts";
import type { HotPath } from "./paths.ts";

type Figures = {
  readonly perSecond: number;
  readonly p95: number;
  /** CPU time per request of the service and of PostgreSQL, in milliseconds. */
  readonly serverMs: number;
  readonly databaseMs: number;
};

/** The figures of a path, beside its floor. */
export type MeasuredPath = Figures & {
  readonly path: HotPath;
  readonly floorPerSecond: number;
  readonly ratio: number;
  /** Resident memory of the service at the end. */
  readonly memoryBytes: number;
};

/** The figures of a read; `cpuShare` is its CPU time in the service, divided by that of the same read over REST. */
export type MeasuredRead = Figures & { readonly name: string; readonly cpuShare: number };

const shownFigures = ({ p95, serverMs, databaseMs }: Figures): string[] => [
  p95.toFixed(0),
  serverMs.toFixed(2),
  databaseMs.toFixed(2),
];

/** Returns the table of the paths. */
export function pathTable(measured: readonly MeasuredPath[]): string {
  const columns = ["", "per second", "floor", "ratio", "target", "p95 ms", "CPU ms, service", "CPU ms, PostgreSQL"];
  const rows = measured.map((one) => [
    one.path.scenario.name,
    one.perSecond.toFixed(0),
    one.floorPerSecond.toFixed(0),
    one.ratio.toFixed(2),
    shownTarget(one.path),
    ...shownFigures(one),
    timesPeer(one, "outline"),
    timesPeer(one, "docmost"),
    (one.memoryBytes / 1024 ** 2).toFixed(0),
  ]);
  return markdownTable([...columns, "× Outline", "× Docmost", "MB, service"], rows);
}

function shownTarget({ target }: HotPath): string {
  return "ratio" in target ? `≥ ${target.ratio}` : `≥ ${target.perSecond}/s`;
}

/** Divides the ratio to the floor by that of the peer in its own run; without a floor there, the figures themselves. */
function timesPeer({ path, ratio, perSecond }: MeasuredPath, peer: "outline" | "docmost"): string {
  const theirs = path.recorded[peer];
  if (theirs === undefined) return "–";
  const { floor } = path.recorded;
  const times = floor === undefined ? perSecond / theirs : ratio / (theirs / floor);
  return times.toFixed(times < 10 ? 1 : 0);
}

/** Returns the table of reads by assistants. */
export function assistantTable(measured: readonly MeasuredRead[]): string {
  const columns = ["", "per second", "p95 ms", "CPU ms, service", "CPU ms, PostgreSQL", "CPU of the service, × REST"];
  const rows = measured.map((one) => [
    one.name,
    one.perSecond.toFixed(0),
    ...shownFigures(one),
    one.cpuShare.toFixed(2),
  ]);
  return markdownTable(columns, rows);
}
