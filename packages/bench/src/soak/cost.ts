import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { z } from "zod";
import { markdownTable, writeResults } from "../write-results.ts";
import { fillSoak } from "./fill-soak.ts";
import { sender } from "./requests.ts";
import { sendEvenly } from "./send-evenly.ts";
import { startService } from "./service.ts";

// `cost --seconds 90` sends the mixture of the soak as one user and prints what a request of each operation costs, as the
// budget of a user counts it. The default budget is sized by it.

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "90" },
    rate: { type: "string", default: "20" },
    write: { type: "boolean", default: false },
  },
});

const Line = z.object({
  message: z.literal("request"),
  status: z.int(),
  operation: z.string().optional(),
  mcpTool: z.string().optional(),
  cpuMs: z.number(),
  databaseMs: z.number(),
  requestBytes: z.number().optional(),
  responseBytes: z.number().optional(),
});
type Line = z.output<typeof Line>;

const mean = (numbers: readonly number[]): number => numbers.reduce((sum, value) => sum + value, 0) / numbers.length;

function rowOf(name: string, lines: readonly Line[]): string[] {
  const bytes = lines.map(({ requestBytes = 0, responseBytes = 0 }) => requestBytes + responseBytes);
  const cpuMs = mean(lines.map((line) => line.cpuMs));
  const databaseMs = mean(lines.map((line) => line.databaseMs));
  const kilobytes = mean(bytes) / 1_000;
  return [
    name,
    String(lines.length),
    `${cpuMs.toFixed(2)} ms`,
    `${databaseMs.toFixed(2)} ms`,
    `${kilobytes.toFixed(1)} kB`,
  ];
}

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "kb-cost-"));
  const logFile = join(folder, "requests.log");
  const service = await startService(folder, folder, 1, { LOG_LEVEL: "info" }, { logFile });
  try {
    const data = await fillSoak(service.origin, service.keys);
    const { send, close } = sender(service.origin, service.keys, data);
    await sendEvenly(send, Number(values.rate), 10);
    const before = readFileSync(logFile, "utf8").length;
    await sendEvenly(send, Number(values.rate), Number(values.seconds));
    close();
    await service.stop();
    const lines = readFileSync(logFile, "utf8")
      .slice(before)
      .split("\n")
      .filter((line) => line.startsWith("{"))
      .flatMap((line) => Line.safeParse(JSON.parse(line)).data ?? [])
      .filter(({ status }) => status < 300);
    const byOperation = Map.groupBy(lines, ({ operation, mcpTool }) => operation ?? `mcp: ${mcpTool ?? "other"}`);
    const rows = [...byOperation].sort(([, a], [, b]) => b.length - a.length);
    const table = markdownTable(
      ["Operation", "requests", "processor time", "PostgreSQL", "bytes"],
      [rowOf("all", lines), ...rows.map(([name, own]) => rowOf(name, own))],
    );
    console.log(table);
    if (values.write) writeResults("cost", "pnpm --filter @kb/bench cost --write", table);
  } finally {
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

await main();
