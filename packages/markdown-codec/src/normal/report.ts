import { CodecError } from "../error.ts";
import { containerLimit } from "../limits.ts";
import type { Labels } from "../syntax/environment.ts";
import type { Change, Limits, Path } from "../types.ts";

/** Where one normalisation stands, what it knows, and what it has altered so far. */
export class Report {
  readonly changes: Change[] = [];
  /** The folded labels of the footnotes that are defined. */
  readonly footnotes: Labels;
  readonly limits: Limits;
  readonly #path: (string | number)[] = [];
  #containers = 0;

  constructor(footnotes: Labels, limits: Limits) {
    this.footnotes = footnotes;
    this.limits = limits;
  }

  /** Runs `task` with the path of a child. */
  child<T>(index: number, task: () => T): T {
    this.#path.push("content", index);
    const result = task();
    this.#path.length -= 2;
    return result;
  }

  /** Runs `task` inside a list, an item, a quote or a footnote. Throws `NESTING`. */
  container<T>(task: () => T): T {
    if (this.#containers + 1 >= containerLimit(this.limits)) {
      throw new CodecError("NESTING", `Blocks are nested deeper than ${this.limits.depth} levels of lists.`, {
        path: this.here(),
      });
    }
    this.#containers++;
    const result = task();
    this.#containers--;
    return result;
  }

  changed(message: string): void {
    this.changes.push({ path: this.here(), message });
  }

  here(): Path {
    return [...this.#path];
  }
}
