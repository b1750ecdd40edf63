import { markdownTable, writeResults } from "../write-results.ts";

type Unit = "ms" | "s" | "MB" | "";
type Options = {
  readonly unit?: Unit;
  /** The same figure of something bare, measured in the same run. */
  readonly floor?: number;
};
type Figure = Options & { readonly what: string; readonly is: number; readonly budget: number | undefined };

/** Figures beside their budgets and floors. */
export class Figures {
  readonly #figures: Figure[] = [];

  /** Adds a figure; one without a budget tells how fast the machine was. */
  add(what: string, is: number, budget?: number, options: Options = {}): void {
    this.#figures.push({ what, is, budget, ...options });
    const floor = options.floor === undefined ? "" : `, floor ${options.floor.toFixed(2)}`;
    console.log(`${what}: ${is.toFixed(2)}${floor}`);
  }

  /** Prints the table, writes it to docs/performance.md where `write` is set, and lets the process exit with 1 beyond a budget. */
  report({ name, command, write }: { readonly name: string; readonly command: string; readonly write: boolean }): void {
    const hasFloors = this.#figures.some(({ floor }) => floor !== undefined);
    const table = markdownTable(
      ["What", "Measured", "Budget", ...(hasFloors ? ["Floor", "Ratio"] : [])],
      this.#figures.map(({ what, is, budget, floor, unit = "ms" }) => [
        what,
        text(is, unit),
        text(budget, unit),
        ...(hasFloors ? [text(floor, unit), floor === undefined ? "" : (is / floor).toFixed(2)] : []),
      ]),
    );
    console.log(table);
    if (write) writeResults(name, command, table);
    const beyond = this.#figures.filter(({ is, budget }) => budget !== undefined && !(is <= budget));
    for (const { what } of beyond) console.log(`Beyond its budget: ${what}`);
    if (beyond.length > 0) process.exitCode = 1;
  }
}

function text(value: number | undefined, unit: Unit): string {
  if (value === undefined) return "";
  return unit === "" ? String(value) : `${value.toFixed(value < 10 ? 1 : 0)} ${unit}`;
}
