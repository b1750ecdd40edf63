import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startThrowAwayCluster } from "@kb/db";
import { startService } from "../soak/service.ts";
import { markdownTable, writeResults } from "../write-results.ts";
import { missedTargets, probeP99 } from "./judge.ts";
import { quantile } from "./probe.ts";
import { runWorst, type WorstResult, type WorstRun } from "./run-worst.ts";

// `worst` sends every operation its worst known input on a running `kb start`, while another client requests health and a
// document every 50 ms. `--short` sends what the suite sends, `--only PATTERN` what matches. `--write` writes the table to
// docs/performance.md.

const { values } = parseArgs({
  options: {
    short: { type: "boolean", default: false },
    write: { type: "boolean", default: false },
    only: { type: "string", default: "" },
    large: { type: "string", default: "100" },
  },
});

const only = new RegExp(values.only);

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "kb-worst-"));
  const cluster = await startThrowAwayCluster();
  try {
    const service = await startService(folder, folder, 1, { DATABASE_URL: cluster.url });
    try {
      const sizes = { largeDocuments: Number(values.large), treeDocuments: 4_000, terms: 120_000 };
      const target = { ...service, databaseUrl: cluster.url };
      const run = await runWorst(target, sizes, {
        isShort: values.short,
        isWanted: ({ operation, title }) => only.test(`${operation}, ${title}`),
        report: ({ input, status, ms }) =>
          console.error(`${status} in ${ms.toFixed(0)} ms: ${input.operation}, ${input.title}`),
      });
      print(run);
    } finally {
      await service.stop();
    }
  } finally {
    await cluster.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

const megabytes = (bytes: number): string => (bytes / 1024 ** 2).toFixed(1);

function rowOf({ input, status, ms, bytes, slowestProbeMs, residentBytes }: WorstResult): string[] {
  const { operation, title } = input;
  return [
    operation,
    title,
    String(status),
    `${ms.toFixed(0)} ms`,
    `${megabytes(bytes)} MB`,
    `${slowestProbeMs.toFixed(0)} ms`,
    `${megabytes(residentBytes)} MB`,
  ];
}

function print(run: WorstRun): void {
  const { results, probes, mostResidentBytes, contention } = run;
  const times = probes.map(({ ms }) => ms);
  const summary =
    `${results.length} requests. Of ${probes.length} probes p50 is ${quantile(times, 0.5).toFixed(1)} ms, p99 ` +
    `${probeP99(probes).toFixed(0)} ms, the slowest ${Math.max(...times).toFixed(0)} ms. Resident memory is at most ` +
    `${megabytes(mostResidentBytes)} MB. Other programs left the processors so busy that work could take ${contention.worst.toFixed(1)} times as long in the worst second of a hundred.`;
  const slowest = [...results].sort((one, other) => other.ms - one.ms);
  const columns = ["operation", "input", "status", "time", "answer", "slowest probe", "memory"];
  const table = markdownTable(columns, slowest.map(rowOf));
  console.log(`${table}\n\n${summary}`);
  const faults = missedTargets(run);
  for (const fault of faults) console.log(`FAULT ${fault}`);
  if (faults.length > 0) process.exitCode = 1;
  if (values.write) writeResults("worst inputs", "pnpm --filter @kb/bench worst --write", `${summary}\n\n${table}`);
}

await main();
