import { CodecError } from "../error.ts";
import type { Labels } from "../label.ts";
import { checkNodes } from "../limits.ts";
import type { Change, Limits, NodeJSON, Path } from "../types.ts";

/** Where one normalisation stands, what it knows, and what it has altered so far. */
export class Report {
  readonly changes: Change[] = [];
  /** The folded labels of the footnotes that are defined. */
  readonly footnotes: Labels;
  readonly limits: Limits;
  // The child indexes from the root to where it stands.
  readonly #path: number[] = [];
  #nodes = 1;

  constructor(footnotes: Labels, limits: Limits) {
    this.footnotes = footnotes;
    this.limits = limits;
  }

  /** How many nodes lie around. */
  get depth(): number {
    return this.#path.length;
  }

  /** Throws `LIMIT` where there are more nodes than `limits.nodes`. */
  count(nodes: number): void {
    this.#nodes += nodes;
    checkNodes(this.#nodes, this.limits);
  }

  /** The children of the node here, each altered, or left out for null; the same array where none differs. */
  each(nodes: readonly NodeJSON[], alter: (node: NodeJSON) => NodeJSON | null): readonly NodeJSON[] {
    this.count(nodes.length);
    let out: NodeJSON[] | undefined;
    const level = this.#path.push(0) - 1;
    for (const node of nodes) {
      const altered = alter(node);
      if (altered !== node) out ??= nodes.slice(0, this.#path[level]);
      if (altered !== null) out?.push(altered);
      this.#path[level] = (this.#path[level] ?? 0) + 1;
    }
    this.#path.pop();
    return out ?? nodes;
  }

  changed(message: string): void {
    this.changes.push({ path: this.here(), message });
  }

  /** The error for a node that has no place where it stands. */
  misplaced(node: NodeJSON, place: string): CodecError {
    return new CodecError("INVALID_DOC", `A ${node.type} cannot stand in ${place}.`, { path: this.here() });
  }

  here(): Path {
    return this.#path.flatMap((index) => ["content", index]);
  }
}
