import type { Node, Schema } from "prosemirror-model";
import type { Step } from "prosemirror-transform";
import { readStep } from "../check-step.ts";
import type { AcceptedBatch } from "../plugin.ts";
import { schemaVersion } from "../schema-version.ts";
import { type OpenedLog, type Transport, TransportFailure, type WireBatch } from "./transport.ts";

/** A document as it is at a version of its log. */
export interface OpenedDocument {
  readonly lineage: string;
  readonly version: number;
  readonly doc: Node;
  readonly canWrite: boolean;
  /** The id of the user, where the service says it. */
  readonly author: string | undefined;
}

/** Opens a document with all batches of its log. @throws {TransportFailure} `outdated` for content that this client does not know */
export async function openDocument(transport: Transport, schema: Schema): Promise<OpenedDocument> {
  const opened = await transport.open();
  requireSchema(opened);
  const { lineage, canWrite, author } = opened;
  let version = opened.savedVersion;
  let newest = opened.version;
  let doc = readDocument(schema, opened.content);
  let { batches } = opened;
  for (;;) {
    for (const batch of batches) {
      if (batch.version !== version + 1) throw new TransportFailure("reopen", `Version ${version + 1} is missing`);
      for (const step of stepsOf(schema, batch)) doc = applied(step, doc);
      version = batch.version;
    }
    if (version >= newest) return { lineage, version, doc, canWrite, author };
    ({ version: newest, batches } = await transport.batches({ lineage, since: version }));
    if (batches.length === 0 && version < newest) throw new TransportFailure("unreachable", "The log has a gap");
  }
}

/** Reads the steps of a batch. @throws {TransportFailure} `outdated` for steps that this client does not know */
export function stepsOf(schema: Schema, { steps }: WireBatch): readonly Step[] {
  return known(() => steps.map((step) => readStep(schema, step)));
}

/** Reads a batch of the log. @throws {TransportFailure} `outdated` for steps that this client does not know */
export function acceptedOf(schema: Schema, batch: WireBatch): AcceptedBatch {
  const steps = stepsOf(schema, batch);
  return { version: batch.version, steps, origins: batch.origins ?? [...steps.keys()] };
}

function requireSchema({ schema }: OpenedLog): void {
  if (schema > schemaVersion) throw new TransportFailure("outdated", "The schema is newer than this page");
  if (schema < schemaVersion) throw new TransportFailure("unreachable", "The service is being updated");
}

/** Reads a document. @throws {TransportFailure} `outdated` for content that this client does not know */
export function readDocument(schema: Schema, content: unknown): Node {
  return known(() => {
    const doc = schema.nodeFromJSON(content);
    doc.check();
    return doc;
  });
}

/** Returns a document after a step. @throws {TransportFailure} `outdated` where the step does not apply */
export function applied(step: Step, doc: Node): Node {
  return known(() => {
    const result = step.apply(doc);
    if (result.doc === null) throw new RangeError(result.failed ?? "A step does not apply");
    return result.doc;
  });
}

/** Reads content. ProseMirror throws a RangeError for what its schema does not know. @throws {TransportFailure} `outdated` */
export function known<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new TransportFailure("outdated", error.message);
  }
}
