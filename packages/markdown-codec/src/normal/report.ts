import { CodecError } from "../error.ts";
import { checkNodes, containerLimit } from "../limits.ts";
import type { Change, Limits, NodeJSON, Path } from "../types.ts";

/** Reads the source of a raw construct by itself. */
export interface RawSyntax {
  /** The one block that the source is, read by itself; undefined where it is more than one. `kind` is what it should be. */
  readBlock(source: string, kind: string): NodeJSON | undefined;
  /** True where the source is one raw construct of this kind within a line. */
  isInline(kind: string, source: string): boolean;
}

/** Where one normalisation stands, what it knows, and what it has altered so far. */
export class Report {
  readonly changes: Change[] = [];
  /** The folded labels of the footnotes that are defined. */
  readonly footnotes: ReadonlySet<string>;
  readonly limits: Limits;
  readonly raw: RawSyntax;
  /** How many nodes were counted. */
  nodes = 1;
  // The child indexes from the root to where it stands.
  readonly #path: number[] = [];

  constructor(footnotes: ReadonlySet<string>, limits: Limits, raw: RawSyntax) {
    this.raw = raw;
    this.footnotes = footnotes;
    this.limits = limits;
  }

  /** How many nodes lie around. */
  get depth(): number {
    return this.#path.length;
  }

  /** Throws `NESTING` where `more` levels below this place are deeper than `limits.depth`. */
  requireDepth(more: number): void {
    if (this.depth + more < containerLimit(this.limits)) return;
    const message = `Blocks are nested deeper than ${this.limits.depth} levels of lists.`;
    throw new CodecError("NESTING", message, { path: this.here() });
  }

  /** True for the first block of the document. */
  get isFirst(): boolean {
    return this.#path.length === 1 && this.#path[0] === 0;
  }

  /** Throws `LIMIT` where there are more nodes than `limits.nodes`. */
  count(nodes: number): void {
    this.nodes += nodes;
    checkNodes(this.nodes, this.limits);
  }

  /** The children of the node here, each altered, or left out for null; the same array where none differs. */
  each(nodes: NodeJSON[], alter: (node: NodeJSON) => NodeJSON | null): NodeJSON[] {
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

  /** Notes that the node here was altered, or its child of this index. */
  changed(message: string, child?: number): void {
    this.changes.push({ path: child === undefined ? this.here() : [...this.here(), "content", child], message });
  }

  /** The error for a node that has no place where it stands. */
  misplaced(node: NodeJSON, place: string): CodecError {
    return new CodecError("INVALID_DOC", `A ${node.type} cannot stand in ${place}.`, { path: this.here() });
  }

  here(): Path {
    return this.#path.flatMap((index) => ["content", index]);
  }
}
