import { CodecError, type DocJSON, normalize } from "markdown-codec";
import { schema } from "markdown-codec/schema";
import { Fragment, type Node } from "prosemirror-model";
import type { Step } from "prosemirror-transform";
import { readStep } from "./check-step.ts";
import { difference } from "./difference.ts";
import { rebase } from "./rebase.ts";
import { ReplayedDocuments } from "./replayed-documents.ts";
import { tryStep } from "./try-step.ts";

/** A document as it is stored: its saved content, and the steps of each batch after it; all as JSON text. */
export interface StoredLog {
  readonly content: string;
  readonly batches: readonly string[];
}

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

/** Bounds of a document that grows: nodes, and characters of its text. */
export interface DocumentLimits {
  readonly nodes: number;
  readonly characters: number;
}

/** A log that cannot be replayed: its batches do not fit the saved content, or are not steps of this schema. */
export class LogUnreadableError extends Error {
  override readonly name = "LogUnreadableError";
}

/** A batch that is refused as a whole. */
export class StepsRefusedError extends Error {
  override readonly name = "StepsRefusedError";
  /** `full`: the document would exceed its limits; `invalid`: the steps are not steps of the schema, or do not apply. */
  readonly reason: "invalid" | "full";

  constructor(reason: "invalid" | "full", message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

/**
 * Returns the form in which a batch is accepted after everything in the log. All that it changes is valid content of the codec
 * afterwards, so that the document can always be saved.
 * @throws {StepsRefusedError}
 * @throws {LogUnreadableError}
 */
export function acceptBatch(log: StoredLog, sent: SentBatch, limits: DocumentLimits): AcceptedSteps {
  const before = documentOf(log);
  const steps = readSent(sent.steps);
  const since = readLog(() => sent.since.flatMap(readAccepted));
  const accepted = since.length === 0 ? applied(before, steps) : rebased(before, steps, since);
  requireRoom(before, accepted.doc, limits);
  requireSavable(before, accepted.doc);
  const json = JSON.stringify(accepted.steps);
  return {
    steps: json,
    origins: accepted.steps.length === steps.length ? [] : accepted.origins,
    isChanged: json !== JSON.stringify(steps),
    orphans: accepted.orphans,
  };
}

/** Returns the content of the document after all batches. @throws {LogUnreadableError} */
export function contentOf(log: StoredLog): DocJSON {
  return contentOfNode(documentOf(log));
}

/** Returns the steps that turn one content into another, as JSON text; null where they are equal. */
export function stepsBetween(before: string, after: string): string | null {
  const steps = difference(readDocument(before), readDocument(after));
  return steps.length === 0 ? null : JSON.stringify(steps);
}

const replayed = new ReplayedDocuments();

/** While people type, each batch finds the document of the one before it, and replays only what came since. */
function documentOf({ content, batches }: StoredLog): Node {
  return readLog(() => {
    const known = replayed.find(content, batches);
    let doc = known?.doc ?? readDocument(content);
    for (const step of batches.slice(known?.batches.length ?? 0).flatMap(readAccepted)) {
      const result = step.apply(doc);
      if (result.doc === null) throw new RangeError(`A step does not apply: ${result.failed}`);
      doc = result.doc;
    }
    replayed.keep({ content, batches, doc });
    return doc;
  });
}

function readLog<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new LogUnreadableError("The log cannot be replayed", { cause: error });
  }
}

const readDocument = (content: string): Node => schema.nodeFromJSON(JSON.parse(content));

/** The JSON of a document of the codec's schema is one of the codec. */
function contentOfNode(doc: Node): DocJSON {
  return doc.toJSON() as DocJSON;
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

/** A document that is too large may only shrink: text that becomes many nodes is growth too. */
function requireRoom(before: Node, after: Node, { nodes, characters }: DocumentLimits): void {
  // Each node and each character is at least one position.
  if (after.content.size <= Math.min(nodes, characters)) return;
  const now = measure(after);
  if (now.nodes <= nodes && now.characters <= characters) return;
  const earlier = measure(before);
  if (now.nodes <= earlier.nodes && now.characters <= earlier.characters) return;
  throw new StepsRefusedError("full", `A document has at most ${nodes} nodes and ${characters} characters`);
}

function measure(doc: Node): DocumentLimits {
  let nodes = 0;
  let characters = 0;
  doc.descendants((node) => {
    nodes += 1;
    characters += node.text?.length ?? 0;
  });
  return { nodes, characters };
}

/**
 * Checks the outermost blocks that are not the same as before: against the schema, with the values of all attributes, and by
 * bringing them into normal form, as the next checkpoint does.
 */
function requireSavable(before: Node, after: Node): void {
  const known = new Set(before.children);
  const changed = after.children.filter((block) => !known.has(block));
  if (changed.length === 0) return;
  try {
    for (const block of changed) block.check();
    normalize(contentOfNode(after.copy(Fragment.fromArray(changed))));
  } catch (error) {
    if (!(error instanceof RangeError || error instanceof CodecError)) throw error;
    throw new StepsRefusedError("invalid", error.message, { cause: error });
  }
}
