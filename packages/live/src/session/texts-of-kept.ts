import { textOfAttribute } from "../written-attribute.ts";
import type { KeptChanges } from "./session-store.ts";

/** Returns the text that kept steps insert, for a session that cannot go on from them. */
export function textsOfKept({ local, orphans }: Pick<KeptChanges, "local" | "orphans">): readonly string[] {
  const inserted = textOfSteps(local.map(({ step }) => step));
  return inserted.trim() === "" ? orphans : [...orphans, inserted];
}

/** Returns the text that steps insert one after the other, as JSON. */
export const textOfSteps = (steps: readonly unknown[]): string =>
  textIn(steps.filter((step, index) => !isWrittenAgain(step, steps[index + 1])));

/** Returns the text that a step inserts or writes, as JSON. */
export function textIn(json: unknown): string {
  if (Array.isArray(json)) return json.map(textIn).join("");
  if (typeof json !== "object" || json === null) return "";
  if ("text" in json && typeof json.text === "string") return json.text;
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
