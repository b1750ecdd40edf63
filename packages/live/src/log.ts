import type { DocJSON } from "markdown-codec";
import { schema } from "markdown-codec/schema";
import type { Node } from "prosemirror-model";
import { difference } from "./difference.ts";
import type { DocumentLimits } from "./document-size.ts";
import { type AcceptedSteps, LiveDocument, type SentBatch } from "./live-document.ts";
import { ReplayedDocuments } from "./replayed-documents.ts";

/** A document as it is stored: its saved content, and the steps of each batch after it; all as JSON text. */
export interface StoredLog {
  readonly content: string;
  readonly batches: readonly string[];
}

/**
 * Returns the form in which a batch is accepted after everything in the log.
 * @throws {StepsRefusedError}
 * @throws {LogUnreadableError}
 */
export function acceptBatch(log: StoredLog, sent: SentBatch, limits: DocumentLimits): AcceptedSteps {
  return documentOf(log).accept(sent, limits).accepted;
}

/** Returns the content of the document after all batches. @throws {LogUnreadableError} */
export function contentOf(log: StoredLog): DocJSON {
  return documentOf(log).toContent();
}

/**
 * Returns the steps that turn one content into another, as JSON text; null where they are equal. Outermost blocks that both have as
 * the same object cost next to nothing.
 */
export function stepsBetween(before: DocJSON, after: DocJSON): string | null {
  const known = new Map<BlockJSON, Node>();
  const steps = difference(nodeOf(before, known), nodeOf(after, known));
  return steps.length === 0 ? null : JSON.stringify(steps);
}

type BlockJSON = NonNullable<DocJSON["content"]>[number];

function nodeOf({ content = [] }: DocJSON, known: Map<BlockJSON, Node>): Node {
  const blocks = content.map((block) => {
    const node = known.get(block) ?? schema.nodeFromJSON(block);
    known.set(block, node);
    return node;
  });
  return schema.topNodeType.create(null, blocks);
}

const replayed = new ReplayedDocuments();

/** While people type, each batch finds the document of the one before it, and replays only what came since. */
function documentOf({ content, batches }: StoredLog): LiveDocument {
  const known = replayed.find(content, batches);
  const document = (known?.document ?? LiveDocument.read(content)).after(batches.slice(known?.batches.length ?? 0));
  replayed.keep({ content, batches, document });
  return document;
}
