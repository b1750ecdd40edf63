import type { RawSyntax, Report } from "./normal/report.ts";
import { type Extension, extension } from "./syntax/extension.ts";
import type { EmitOptions, NodeJSON } from "./types.ts";
import { areOneFamily } from "./write/list.ts";

/** Options of `normalize` and `serializeMarkdown`. */
export interface KnownOptions {
  /** Blocks of documents of earlier calls. Use it only for documents whose nodes are never changed. */
  readonly known?: KnownBlocks | undefined;
}

/** Writes blocks of the top level one below the other: its lines so far, and the last block with its marker if it is a list. */
interface Writer {
  readonly out: string[];
  readonly row: { before: NodeJSON | undefined; marker: string | undefined };
  add(block: NodeJSON): void;
}

/** A block of the top level as it was written, and all that this depends on beside the block. */
interface WrittenBlock {
  /** The marker of the list of the same family directly before it. */
  readonly before: string | undefined;
  /** Whether nothing stands before it. */
  readonly isFirst: boolean;
  /** Its lines, with a blank line before them where it needs one. */
  readonly text: string;
  /** Its own marker where it is a list. */
  readonly marker: string | undefined;
}

/** Takes the place of a block that is known, where only its shape counts. */
const plain: NodeJSON = { type: "paragraph" };

/**
 * Remembers blocks of the top level from one call to the next: one that is the same object again is not normalised or written anew where
 * nothing else changes its result. For documents whose nodes are never changed, only replaced, such as the versions of a document in an
 * editor.
 */
export class KnownBlocks {
  /** The call that runs. */
  #report: Report | undefined;
  #surroundings: string | undefined;
  #raw: RawSyntax | undefined;
  #extension: Extension | undefined;
  #normal = new WeakMap<NodeJSON, number>();
  #written = new WeakMap<NodeJSON, WrittenBlock>();

  /** Returns a document without what is known of it to be nodes. */
  unknown(doc: unknown): unknown {
    if (typeof doc !== "object" || doc === null || !("content" in doc) || !Array.isArray(doc.content)) return doc;
    return { ...doc, content: doc.content.map((block) => (this.#normal.has(block) ? plain : block)) };
  }

  /** Normalises a block, or counts the nodes of one that is known to be in normal form. */
  settle(block: NodeJSON, report: Report, settle: () => NodeJSON | null): NodeJSON | null {
    if (report !== this.#report) this.#enter(report);
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

  /** Writes a block that was settled, or the lines of one that was written where it stands as it stood then. */
  write(block: NodeJSON, writer: Writer, emit: EmitOptions | undefined): void {
    // Only the usual spelling is remembered.
    if (emit) {
      writer.add(block);
      return;
    }
    const { out, row } = writer;
    const start = out.length;
    const isFirst = start === 0;
    const before = areOneFamily(row.before, block) ? row.marker : undefined;
    const written = this.#written.get(block);
    if (written !== undefined && written.before === before && written.isFirst === isFirst) {
      out.push(written.text);
      row.before = block;
      row.marker = written.marker;
      return;
    }
    writer.add(block);
    this.#written.set(block, { before, isFirst, text: out.slice(start).join("\n"), marker: row.marker });
  }

  /** Forgets everything that was found out in a document with other footnotes, by another reader, or with another limit of depth. */
  #enter(report: Report): void {
    this.#report = report;
    const { footnotes, limits, raw } = report;
    const surroundings = JSON.stringify([limits.depth, [...footnotes].sort()]);
    if (surroundings === this.#surroundings && raw === this.#raw && extension() === this.#extension) return;
    this.#surroundings = surroundings;
    this.#raw = raw;
    this.#extension = extension();
    this.#normal = new WeakMap();
    this.#written = new WeakMap();
  }
}
