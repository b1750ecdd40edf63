import type { KeptChanges } from "./session-store.ts";
import { textOfSteps } from "./texts-of-kept.ts";

/**
 * Reads the changes that a device has kept. Where a part of them is missing, returns the text of all that can be read, without a
 * place: the other steps would go to wrong places. Returns null where no text can be read either.
 */
export function readKeptChanges(json: unknown): KeptChanges | null {
  if (isWhole(json)) return json;
  const { orphans, local, sent } = Object(json);
  const texts = listIn(orphans).filter((text) => typeof text === "string");
  const inserted = textOfSteps(listIn(local).map((each) => Object(each).step));
  // The batch on the way has the first of the steps, unless the device has lost them or has given up their place.
  const onTheWay = textOfSteps(listIn(Object(sent).steps));
  const isKnown = [...texts, inserted].some((text) => text.includes(onTheWay));
  const found = [...texts, ...(isKnown ? [] : [onTheWay]), inserted].filter((text) => text.trim() !== "");
  return found.length === 0 ? null : { batches: [], local: [], sent: null, orphans: found };
}

function isWhole(json: unknown): json is KeptChanges {
  if (!isObject(json)) return false;
  const { batches, local, orphans, characters } = json;
  // An earlier release has not counted them.
  const isComplete =
    characters === undefined || characters === JSON.stringify({ ...json, characters: undefined }).length;
  return isComplete && [batches, orphans].every(Array.isArray) && Array.isArray(local) && local.every(isObject);
}

const listIn = (json: unknown): readonly unknown[] => (Array.isArray(json) ? json : []);
const isObject = (json: unknown): json is Readonly<Record<string, unknown>> =>
  typeof json === "object" && json !== null;
