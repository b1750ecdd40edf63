import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { connect, migrate, startCluster } from "@kb/db";
import { startApp } from "../api-process.ts";
import { markdownTable, writeResults } from "../write-results.ts";
import { newAgent } from "./agent.ts";
import { openTaskWorld } from "./open-task-world.ts";
import { organizingTasks } from "./organizing-tasks.ts";
import { readingTasks } from "./reading-tasks.ts";
import { recordedBefore } from "./recorded-before.ts";
import type { TaskResult } from "./task.ts";
import { writingTasks } from "./writing-tasks.ts";

// Lets a scripted assistant do 42 tasks over HTTP and counts what they cost a model: calls, and bytes of arguments and answers. `--before`
// runs the scripts for the tools before they were made for these tasks, for a checkout of that release, and prints what is recorded here.

const { values } = parseArgs({ options: { before: { type: "boolean" }, write: { type: "boolean" } } });

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "kb-tasks-"));
  const cluster = await startCluster({ dataDir: join(folder, "data") });
  try {
    await migrate(cluster.url);
    const results = await runTasks(cluster.url, folder);
    if (values.before === true) {
      console.log(
        JSON.stringify(
          results.map(({ name, outcome, calls, sent, received }) => [name, outcome, calls, sent, received]),
        ),
      );
      return;
    }
    const text = report(results);
    console.log(text);
    if (values.write === true) writeResults("tasks", "pnpm --filter @kb/bench tasks --write", text);
  } finally {
    await cluster.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function runTasks(url: string, folder: string): Promise<TaskResult[]> {
  const database = connect({ url });
  const { world, key } = await openTaskWorld(database);
  const server = await startApp("mcp", url, undefined, { KB_DATA_DIR: folder });
  try {
    const results: TaskResult[] = [];
    for (const { name, prepare } of [...readingTasks, ...writingTasks, ...organizingTasks]) {
      const scripts = await prepare(world);
      const agent = newAgent(server, key);
      const done = await (values.before === true ? scripts.before : scripts.after)(agent);
      results.push({ name, outcome: done === "impossible" ? done : done ? "done" : "not done", ...agent.cost() });
    }
    return results;
  } finally {
    await server.stop();
    await database.close();
  }
}

const columns = ["", "before: calls", "sent", "received", "after: calls", "sent", "received"];

function report(results: readonly TaskResult[]): string {
  const before = new Map(recordedBefore.map((result) => [result.name, result]));
  const cells = (result: TaskResult | undefined): string[] => {
    if (result === undefined) return ["–", "–", "–"];
    const calls = result.outcome === "done" ? String(result.calls) : result.outcome;
    return [calls, String(result.sent), String(result.received)];
  };
  const rows = results.map((result) => [result.name, ...cells(before.get(result.name)), ...cells(result)]);
  return `${markdownTable(columns, rows)}\n\n${summary(recordedBefore, results)}`;
}

/** Compares the sums. Bytes are those of the tasks that were possible before, so that the others do not count against us. */
function summary(before: readonly TaskResult[], after: readonly TaskResult[]): string {
  const possible = new Set(before.filter(({ outcome }) => outcome === "done").map(({ name }) => name));
  const bytes = (results: readonly TaskResult[]): number =>
    results.filter(({ name }) => possible.has(name)).reduce((sum, { sent, received }) => sum + sent + received, 0);
  const notDone = (results: readonly TaskResult[]): number =>
    results.filter(({ outcome }) => outcome !== "done").length;
  const calls = after.reduce((sum, result) => sum + result.calls, 0) / after.length;
  return `Before, ${notDone(before)} of ${before.length} tasks were impossible or failed; after, ${notDone(after)}. A task takes ${calls.toFixed(2)} calls on average (target: at most 2). The tasks that were possible before take ${((100 * bytes(after)) / bytes(before)).toFixed(0)} % of the bytes (target: at most 50 %).`;
}

await main();
