import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Cells, cellsOf } from "./matrix/cells.ts";
import type { CaseInput, OperationCase } from "./operation-case.ts";

const source = join(import.meta.dirname, "..");

/** The case of each operation, by the operation's name: every export of every `*.case.ts`. */
export const operationCases: ReadonlyMap<string, OperationCase> = await readCases();

/** The expected outcome of each operation for each kind of credential. */
export const cells: ReadonlyMap<string, Cells> = new Map(
  [...operationCases].map(([name, { access }]) => [name, cellsOf(name, access)]),
);

/** The input of each operation, with its subject in the state that it needs. */
export const cases: Readonly<Record<string, CaseInput>> = Object.fromEntries(
  [...operationCases].map(([name, { input }]) => [name, input]),
);

/** Returns what to write where an operation has no case. `exported` is its name in `operations.ts`. */
export function missingCase(exported: string): string {
  const registry = readFileSync(join(source, "operations.ts"), "utf8");
  const file = new RegExp(`\\b${exported}\\b[^"]*"\\./([^"]+)\\.ts"`).exec(registry)?.[1] ?? "<area>/<verb>";
  return `${exported} has no case: write packages/core/src/${file}.case.ts with caseOf(${exported}, …)`;
}

async function readCases(): Promise<ReadonlyMap<string, OperationCase>> {
  const found = new Map<string, OperationCase>();
  for (const path of globSync("**/*.case.ts", { cwd: source }).sort()) {
    const exported = asCases(await import(pathToFileURL(join(source, path)).href));
    for (const one of Object.values(exported)) {
      if (found.has(one.operation)) throw new Error(`${path}: ${one.operation} has a case elsewhere`);
      found.set(one.operation, one);
    }
  }
  return found;
}

/** A `*.case.ts` exports cases only. */
function asCases(module: object): Readonly<Record<string, OperationCase>> {
  return module as Readonly<Record<string, OperationCase>>;
}
