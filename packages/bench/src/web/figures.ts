import { markdownTable, writeResults } from "../write-results.ts";

type Figure = { readonly what: string; readonly unit: "ms" | "s" | ""; readonly budget: number; readonly is: number };

/** Figures beside their budgets. */
export class Figures {
  readonly #figures: Figure[] = [];

  add(what: string, is: number, budget: number, unit: Figure["unit"] = "ms"): void {
    this.#figures.push({ what, is, budget, unit });
    console.log(`${what}: ${is.toFixed(2)}`);
  }

  /** Prints the table, writes it to docs/performance.md where `write` is set, and lets the process exit with 1 beyond a budget. */
  report({ name, command, write }: { readonly name: string; readonly command: string; readonly write: boolean }): void {
    const text = ({ is, unit }: Pick<Figure, "is" | "unit">): string =>
      unit === "" ? String(is) : `${is.toFixed(is < 10 ? 1 : 0)} ${unit}`;
    const table = markdownTable(
      ["What", "Measured", "Budget"],
      this.#figures.map((figure) => [figure.what, text(figure), text({ is: figure.budget, unit: figure.unit })]),
    );
    console.log(table);
    if (write) writeResults(name, command, table);
    const beyond = this.#figures.filter(({ is, budget }) => !(is <= budget));
    for (const { what } of beyond) console.log(`Beyond its budget: ${what}`);
    if (beyond.length > 0) process.exitCode = 1;
  }
}
