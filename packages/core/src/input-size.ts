import { invalid, ServiceError } from "./errors.ts";

/** The maximum number of entries in one list or object. */
const maxEntries = 10_000;
/** The maximum number of entries in an input, in all of its lists and objects. */
const maxEntriesInAll = 50_000;

/** Editor JSON: the codec limits its nodes, in a thread. */
const bodies: ReadonlySet<string> = new Set(["content"]);

/**
 * Limits the number of values in an input before its schema looks at each of them.
 * @throws {ServiceError} `validation_error`, which names the list or the object
 */
export function requireBoundedInput(raw: unknown): void {
  const waiting: { readonly value: unknown; readonly path: string }[] = [{ value: raw, path: "" }];
  let entries = 0;
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { value, path } = next;
    // Bytes come from programs of ours, which limit them.
    if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) continue;
    const keys = Object.keys(value);
    entries += keys.length;
    if (keys.length > maxEntries) throw tooMany(path, maxEntries);
    if (entries > maxEntriesInAll) throw tooMany("", maxEntriesInAll);
    for (const [key, inner] of Object.entries(value)) {
      if (path === "" && bodies.has(key)) requireFewKeys(key, inner);
      else waiting.push({ value: inner, path: path === "" ? key : `${path}.${key}` });
    }
  }
}

function requireFewKeys(path: string, value: unknown): void {
  if (typeof value === "object" && value !== null && Object.keys(value).length > maxEntries) {
    throw tooMany(path, maxEntries);
  }
}

function tooMany(path: string, most: number): ServiceError {
  return path === ""
    ? new ServiceError("validation_error", `The input has more than ${most} values.`)
    : invalid(path, `At most ${most} entries`);
}
