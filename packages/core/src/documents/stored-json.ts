/**
 * Writes a value as PostgreSQL writes it once it is stored as `jsonb`: keys by their length and then by their bytes, with a space after
 * each comma and colon. A text that is read from there can be compared with it; one that is spelled in another way, such as a number
 * with an exponent, is taken for another value.
 */
export function storedJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(storedJson).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  if (entries.length > 1) entries.sort(([one], [other]) => one.length - other.length || (one < other ? -1 : 1));
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}: ${storedJson(item)}`).join(", ")}}`;
}
