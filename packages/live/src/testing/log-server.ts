import type { Node, Schema } from "prosemirror-model";
import type { Step } from "prosemirror-transform";
import { readStep } from "../check-step.ts";
import { rebase } from "../rebase.ts";

/** A batch of a client: the same bytes and the same base each time it is sent. */
export interface Push {
  readonly clientId: string;
  readonly sequence: number;
  readonly base: number;
  readonly steps: string;
}

/** A batch of the log, as every client reads it. */
export interface LoggedBatch {
  readonly version: number;
  readonly clientId: string;
  readonly sequence: number;
  readonly steps: string;
  readonly origins: readonly number[];
}

/** Handles batches as the server of live editing does, in memory. */
export class LogServer {
  readonly log: LoggedBatch[] = [];
  readonly #schema: Schema;
  readonly #steps: (readonly Step[])[] = [];
  readonly #sequences = new Map<string, number>();
  #doc: Node;

  constructor(doc: Node) {
    this.#doc = doc;
    this.#schema = doc.type.schema;
  }

  get doc(): Node {
    return this.#doc;
  }

  get version(): number {
    return this.log.length;
  }

  /** Accepts a batch, rebased onto those before it; one that it knows changes nothing. Returns what became of its text. */
  push({ clientId, sequence, base, steps }: Push): {
    readonly isChanged: boolean;
    readonly orphans: readonly string[];
  } {
    if (sequence <= (this.#sequences.get(clientId) ?? 0)) return { isChanged: false, orphans: [] };
    const sent = readSteps(this.#schema, steps);
    const rebased = rebase(this.#doc, sent, this.#steps.slice(base).flat());
    rebased.doc.check();
    this.#sequences.set(clientId, sequence);
    this.#doc = rebased.doc;
    this.#steps.push(rebased.steps);
    const accepted = JSON.stringify(rebased.steps);
    this.log.push({ version: this.log.length + 1, clientId, sequence, steps: accepted, origins: rebased.origins });
    return { isChanged: accepted !== JSON.stringify(sent), orphans: rebased.orphans };
  }
}

/** Reads the steps of a batch. */
export function readSteps(schema: Schema, steps: string): readonly Step[] {
  const list: unknown = JSON.parse(steps);
  if (!Array.isArray(list)) throw new RangeError("Steps are a list");
  return list.map((step) => readStep(schema, step));
}
