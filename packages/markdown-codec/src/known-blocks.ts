import type { RawSyntax, Report } from "./normal/report.ts";
import type { Limits, NodeJSON } from "./types.ts";

/** An option of what normalises or writes a document. */
export interface KnownOptions {
  /** Blocks of documents of earlier calls. Use it only for documents whose nodes are never changed. */
  readonly known?: KnownBlocks | undefined;
}

/** How a block of the top level was written, and what that depends on beside the block. */
interface WrittenBlock {
  /** The marker of the list of the same family directly before it. */
  readonly before: string | undefined;
  /** Whether nothing stands before it. */
  readonly isFirst: boolean;
  readonly text: string;
  /** Its own marker where it is a list. */
  readonly marker: string | undefined;
}

/**
 * Remembers blocks of the top level from one call to the next: one that is the same object again is not normalised or written anew where
 * nothing else changes its result. For documents whose nodes are never changed, only replaced, such as the versions of a document in an
 * editor.
 */
export class KnownBlocks {
  #surroundings: string | undefined;
  #raw: RawSyntax | undefined;
  #normal = new WeakMap<NodeJSON, number>();
  #written = new WeakMap<NodeJSON, WrittenBlock>();

  /** Forgets everything that was found out in a document with other footnotes, by another reader, or with another limit of depth. */
  enter(footnotes: ReadonlySet<string>, { depth }: Limits, raw: RawSyntax): void {
    const surroundings = JSON.stringify([depth, [...footnotes].sort()]);
    if (surroundings === this.#surroundings && raw === this.#raw) return;
    this.#surroundings = surroundings;
    this.#raw = raw;
    this.#normal = new WeakMap();
    this.#written = new WeakMap();
  }

  /** Tells whether a block is in normal form, whatever stands before it. */
  isNormal(block: NodeJSON): boolean {
    return this.#normal.has(block);
  }

  /** Normalises a block, or counts the nodes of one that is known to be in normal form. */
  settle(block: NodeJSON, report: Report, settle: () => NodeJSON | null): NodeJSON | null {
    const nodes = this.#normal.get(block);
    if (nodes !== undefined) {
      report.count(nodes);
      return block;
    }
    const { nodes: nodesBefore } = report;
    const changesBefore = report.changes.length;
    const settled = settle();
    // A raw block depends on what stands before it.
    const isNormal = settled === block && block.type !== "rawBlock" && report.changes.length === changesBefore;
    if (isNormal) this.#normal.set(block, report.nodes - nodesBefore);
    return settled;
  }

  /** Writes a block to `out`, or the lines of one that was written where it stands as it stood then. Returns the marker of a list. */
  write(
    block: NodeJSON,
    before: string | undefined,
    out: string[],
    write: () => string | undefined,
  ): string | undefined {
    const start = out.length;
    const isFirst = start === 0;
    const written = this.#written.get(block);
    if (written !== undefined && written.before === before && written.isFirst === isFirst) {
      out.push(written.text);
      return written.marker;
    }
    const marker = write();
    const text = out.slice(start).join("\n");
    if (out.length > start) this.#written.set(block, { before, isFirst, text, marker });
    return marker;
  }
}
