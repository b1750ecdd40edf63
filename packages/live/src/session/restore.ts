import type { Node, Schema } from "prosemirror-model";
import type { Step } from "prosemirror-transform";
import { readStep } from "../check-step.ts";
import { textOfAttribute } from "../leaf-text.ts";
import type { LocalStep } from "../plugin.ts";
import { applied, known, readDocument } from "./read-log.ts";
import type { KeptChanges, KeptSession } from "./session-store.ts";

/** What a kept session goes on from. */
type Restored = { readonly doc: Node; readonly version: number; readonly local: readonly LocalStep[] };

/** Returns a kept document with its local steps. @throws {TransportFailure} where this page does not know its content */
export function restore(schema: Schema, { snapshot, changes }: KeptSession): Restored {
  let doc = readDocument(schema, snapshot.content);
  const read = (json: unknown): Step => known(() => readStep(schema, json));
  for (const steps of changes.batches) for (const step of steps) doc = applied(read(step), doc);
  const local: LocalStep[] = [];
  for (const { step: json, sentIndex } of changes.local) {
    const step = read(json);
    const inverted = known(() => step.invert(doc));
    local.push({ step, inverted, sentIndex: changes.sent === null ? null : sentIndex, isLeft: true });
    doc = applied(step, doc);
  }
  return { doc, version: snapshot.version + changes.batches.length, local };
}

/** Returns the text that kept steps insert, for a session that cannot go on from them. */
export function textsOfKept({ local, orphans }: Pick<KeptChanges, "local" | "orphans">): readonly string[] {
  const inserted = local
    .filter(({ step }, index) => !isWrittenAgain(step, local[index + 1]?.step))
    .map(({ step }) => textIn(step))
    .join("");
  return inserted.trim() === "" ? orphans : [...orphans, inserted];
}

/** Returns the text that a step inserts or writes, as JSON. */
export function textIn(json: unknown): string {
  if (Array.isArray(json)) return json.map(textIn).join("");
  if (typeof json !== "object" || json === null) return "";
  if ("type" in json && json.type === "text" && "text" in json && typeof json.text === "string") return json.text;
  if ("attr" in json && "value" in json) return textOfAttribute(json.attr, json.value) ?? "";
  return Object.entries(json)
    .map(([name, value]) => textOfAttribute(name, value) ?? textIn(value))
    .join("");
}

/** True where the next step writes the same attribute again, as each key in a field does. */
function isWrittenAgain(json: unknown, next: unknown): boolean {
  const place = attributeOf(json);
  return place !== null && place === attributeOf(next);
}

const attributeOf = (json: unknown): string | null =>
  typeof json === "object" && json !== null && "attr" in json && "pos" in json ? `${json.pos} ${json.attr}` : null;
