import type { KeptChanges } from "./session-store.ts";
import { textsOfKept } from "./texts-of-kept.ts";

/**
 * Reads the changes that a device has kept. Where a part of them is missing, returns the text of all that can be read, without a
 * place: the other steps would go to wrong places. Returns null where no text can be read either.
 */
export function readKeptChanges(json: unknown): KeptChanges | null {
  if (isWhole(json)) return json;
  const { orphans, local, sent } = isObject(json) ? json : {};
  const texts = listIn(orphans).filter((text) => typeof text === "string");
  // Their steps are read for their text only.
  const steps = listIn(local).map((step) => ({ step, sentIndex: null }));
  const found = textsOfKept({ orphans: texts, local: steps, sent });
  return found.length === 0 ? null : { batches: [], local: [], sent: null, orphans: found };
}

/** Returns the number of characters of some changes as JSON. */
export function charactersOf(changes: object): number {
  return JSON.stringify({ ...changes, characters: undefined }).length;
}

function isWhole(json: unknown): json is KeptChanges {
  if (!isObject(json)) return false;
  const { batches, local, orphans, characters } = json;
  // An earlier release has not counted them.
  const isComplete = characters === undefined || characters === charactersOf(json);
  return isComplete && [batches, local, orphans].every((list) => Array.isArray(list));
}

const listIn = (json: unknown): readonly unknown[] => (Array.isArray(json) ? json : []);
const isObject = (json: unknown): json is Readonly<Record<string, unknown>> =>
  typeof json === "object" && json !== null;
