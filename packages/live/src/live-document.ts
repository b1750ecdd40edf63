import { CodecError, type DocJSON, type NodeJSON, normalize } from "markdown-codec";
import { schema } from "markdown-codec/schema";
import { Fragment, type Node } from "prosemirror-model";
import { AddMarkStep, RemoveMarkStep, type Step } from "prosemirror-transform";
import { type ChangedBlocks, changedBlocks } from "./changed-blocks.ts";
import { readStep } from "./check-step.ts";
import { type DocumentLimits, isWithin, sizeAfter, sizeOfBlocks } from "./document-size.ts";
import { LargeChangeError, LogUnreadableError, StepsRefusedError } from "./log-errors.ts";
import { rebase } from "./rebase.ts";
import { tryStep } from "./try-step.ts";

/** A batch as a client sent it. */
export interface SentBatch {
  /** The steps as JSON text. */
  readonly steps: string;
  /** The steps of each batch that was accepted after the version for which they were made. */
  readonly since: readonly string[];
}

/** A batch in the form in which it is accepted. */
export interface AcceptedSteps {
  readonly steps: string;
  /** For each accepted step, the index of the sent step that it came from; empty where each sent step is accepted. */
  readonly origins: readonly number[];
  /** Whether the accepted steps differ from those that were sent. */
  readonly isChanged: boolean;
  /** Inserted text that no longer has a place. */
  readonly orphans: readonly string[];
}

/** A batch that was accepted, and the document after it. */
export interface AcceptedBatch {
  readonly accepted: AcceptedSteps;
  readonly document: LiveDocument;
}

/** A document at a version of its log, as nodes: a batch costs what it changes, whatever the size of the document. It never changes. */
export class LiveDocument {
  readonly #doc: Node;
  /** Counted where a bound needs it. */
  #size: DocumentLimits | undefined;

  private constructor(doc: Node, size?: DocumentLimits) {
    this.#doc = doc;
    this.#size = size;
  }

  /** Reads a stored document, JSON text. @throws {LogUnreadableError} */
  static read(content: string): LiveDocument {
    return readLog(() => new LiveDocument(schema.nodeFromJSON(JSON.parse(content))));
  }

  /**
   * Returns a document of the outermost blocks that a generator yields, each read from its JSON text as it is taken: the caller
   * decides how many it has read at once. @throws {LogUnreadableError}
   */
  static *readBlocks(blocks: Iterable<string>): Generator<undefined, LiveDocument> {
    const nodes: Node[] = [];
    for (const block of blocks) {
      nodes.push(readLog(() => schema.nodeFromJSON(JSON.parse(block))));
      yield;
    }
    return new LiveDocument(schema.topNodeType.create(null, nodes));
  }

  /**
   * Returns the document after batches of its log.
   * @param mostMarked positions that all of their steps together may mark; without it, any number
   * @throws {LogUnreadableError}
   * @throws {LargeChangeError} for batches that mark more
   */
  after(batches: readonly string[], mostMarked = Number.POSITIVE_INFINITY): LiveDocument {
    const replaying = this.replay(batches, mostMarked);
    let next = replaying.next();
    while (next.done !== true) next = replaying.next();
    return next.value;
  }

  /** Does the same as `after`, and yields after each batch: the caller decides how many it has applied at once. */
  *replay(batches: readonly string[], mostMarked: number): Generator<undefined, LiveDocument> {
    let doc = this.#doc;
    let marked = 0;
    for (const batch of batches) {
      const before = doc;
      const steps = readLog(() => readAccepted(batch));
      marked += markedBy(steps);
      if (marked > mostMarked) throw new LargeChangeError("They mark too much");
      doc = readLog(() => steps.reduce(applyAccepted, before));
      yield;
    }
    return doc === this.#doc ? this : new LiveDocument(doc);
  }

  /** The positions of the document: its characters, and the sides of its nodes. */
  get length(): number {
    return this.#doc.content.size;
  }

  /** Returns the content. */
  toContent(): DocJSON {
    return contentOfNode(this.#doc);
  }

  /** Returns the content; outermost blocks that are in `known` are the same objects as before. They must not be changed. */
  toSharedContent(known: WeakMap<Node, NodeJSON>): DocJSON {
    const content = this.#doc.children.map((block) => {
      const json = known.get(block) ?? (block.toJSON() as NodeJSON);
      known.set(block, json);
      return json;
    });
    return { type: "doc", content };
  }

  /**
   * Returns the form in which a batch is accepted. All that it changes is valid content of the codec afterwards, so that the
   * document can always be saved.
   * @param mostChanged positions that it may change; without it, any number
   * @throws {StepsRefusedError}
   * @throws {LogUnreadableError} for steps of the log
   * @throws {LargeChangeError} for a batch that changes more
   */
  accept(sent: SentBatch, limits: DocumentLimits, mostChanged = Number.POSITIVE_INFINITY): AcceptedBatch {
    const before = this.#doc;
    const steps = readSent(sent.steps);
    if (markedBy(steps) > mostChanged) throw new LargeChangeError("It marks too much");
    const since = readLog(() => sent.since.flatMap(readAccepted));
    const accepted = since.length === 0 ? applied(before, steps) : rebased(before, steps, since);
    const changed = changedBlocks(before, accepted.doc);
    if (positionsOf(changed.before) > mostChanged || positionsOf(changed.after) > mostChanged) {
      throw new LargeChangeError("It changes too much");
    }
    const size = this.#requireRoom(accepted.doc, changed, limits);
    requireSavable(accepted.doc, changed);
    const json = JSON.stringify(accepted.steps);
    return {
      accepted: {
        steps: json,
        origins: accepted.steps.length === steps.length ? [] : accepted.origins,
        isChanged: since.length > 0 && json !== JSON.stringify(steps),
        orphans: accepted.orphans,
      },
      document: new LiveDocument(accepted.doc, size),
    };
  }

  /** A document that is too large may only shrink: text that becomes many nodes is growth too. Returns its size where it was counted. */
  #requireRoom(after: Node, changed: ChangedBlocks, limits: DocumentLimits): DocumentLimits | undefined {
    // Each node and each character is at least one position.
    if (after.content.size <= Math.min(limits.nodes, limits.characters)) return undefined;
    this.#size ??= sizeOfBlocks(this.#doc.children);
    const size = sizeAfter(this.#size, changed);
    if (isWithin(size, limits) || isWithin(size, this.#size)) return size;
    const { nodes, characters } = limits;
    throw new StepsRefusedError("full", `A document has at most ${nodes} nodes and ${characters} characters`);
  }
}

function readLog<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new LogUnreadableError("The log cannot be replayed", { cause: error });
  }
}

/** The JSON of a document of the codec's schema is one of the codec. */
function contentOfNode(doc: Node): DocJSON {
  return doc.toJSON() as DocJSON;
}

function applyAccepted(before: Node, step: Step): Node {
  const { doc, failed } = step.apply(before);
  if (doc === null) throw new RangeError(`A step does not apply: ${failed}`);
  return doc;
}

/** Reads steps of the log, which were checked when they were accepted. */
function readAccepted(steps: string): readonly Step[] {
  return readList(steps).map((step) => readStep(schema, step));
}

function readSent(steps: string): readonly Step[] {
  try {
    return readAccepted(steps);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new StepsRefusedError("invalid", error.message, { cause: error });
  }
}

function readList(steps: string): readonly unknown[] {
  const list: unknown = JSON.parse(steps);
  if (!Array.isArray(list)) throw new RangeError("Steps are a list");
  return list;
}

interface Accepted {
  readonly doc: Node;
  readonly steps: readonly Step[];
  readonly origins: readonly number[];
  readonly orphans: readonly string[];
}

/** Steps that were made for the newest version apply as they are. */
function applied(before: Node, steps: readonly Step[]): Accepted {
  let doc = before;
  for (const [index, step] of steps.entries()) {
    const from = doc;
    const next = tryStep(() => step.apply(from));
    if (next === null) throw new StepsRefusedError("invalid", `Step ${index} does not apply to its document`);
    doc = next;
  }
  return { doc, steps, origins: [...steps.keys()], orphans: [] };
}

/** Steps that were made for an earlier version, and lie outside of every form of the document, were not made for it. */
function rebased(before: Node, steps: readonly Step[], since: readonly Step[]): Accepted {
  try {
    return rebase(before, steps, since);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new StepsRefusedError("invalid", "A step does not apply to its document", { cause: error });
  }
}

const markedBy = (steps: readonly Step[]): number => steps.reduce((sum, step) => sum + markedSize(step), 0);

/** A step of a mark visits all that it covers; all others cost what they insert. */
function markedSize(step: Step): number {
  return step instanceof AddMarkStep || step instanceof RemoveMarkStep ? Math.max(0, step.to - step.from) : 0;
}

const positionsOf = (blocks: readonly Node[]): number => blocks.reduce((sum, { nodeSize }) => sum + nodeSize, 0);

/**
 * Checks the changed blocks: against the schema, with the values of all attributes, and by bringing them into normal form, as the
 * next checkpoint does.
 */
function requireSavable(after: Node, changed: ChangedBlocks): void {
  if (changed.after.length === 0) return;
  try {
    for (const block of changed.after) block.check();
    normalize(contentOfNode(after.copy(Fragment.fromArray([...changed.after]))));
  } catch (error) {
    if (!(error instanceof RangeError || error instanceof CodecError)) throw error;
    throw new StepsRefusedError("invalid", error.message, { cause: error });
  }
}
