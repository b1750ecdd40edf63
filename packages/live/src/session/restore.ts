import type { Node, Schema } from "prosemirror-model";
import type { Step } from "prosemirror-transform";
import { readStep } from "../check-step.ts";
import type { LocalStep } from "../plugin.ts";
import { applied, known, readDocument } from "./read-log.ts";
import type { KeptSession } from "./session-store.ts";
import { charactersIn } from "./step-json.ts";

/** What a kept session goes on from. */
type Restored = { readonly doc: Node; readonly version: number; readonly local: readonly LocalStep[] };

/** Returns what tells a document with local steps from one of which a part is missing. */
export const identityOf = (lineage: string, version: number, { content: { size } }: Node): string =>
  `${lineage} ${version} ${size}`;

/**
 * Returns a kept document with its local steps.
 * @throws {TransportFailure} where this page does not know its content
 * @throws {RangeError} where a part of it is missing
 */
export function restore(schema: Schema, { snapshot, changes }: KeptSession): Restored {
  let doc = readDocument(schema, snapshot.content);
  const read = (json: unknown): Step => known(() => readStep(schema, json));
  for (const steps of changes.batches) for (const step of steps) doc = applied(read(step), doc);
  const local: LocalStep[] = [];
  for (const { step: json, sentIndex } of changes.local) {
    const step = read(json);
    const inverted = known(() => step.invert(doc));
    const characters = charactersIn(json);
    local.push({ step, inverted, characters, sentIndex: changes.sent === null ? null : sentIndex, isLeft: true });
    doc = applied(step, doc);
  }
  const version = snapshot.version + changes.batches.length;
  const { expected } = changes;
  if (expected !== undefined && expected !== identityOf(snapshot.lineage, version, doc))
    throw new RangeError("Incomplete");
  return { doc, version, local };
}
