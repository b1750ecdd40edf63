/**
 * Writes a value as PostgreSQL writes it once it is stored as `jsonb`: keys by their length and then by their bytes, with a space after
 * each comma and colon. What is read from there can be compared with it; where it differs in spelling, such as that of a number with
 * an exponent, it is taken for another value.
 */
export function storedJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(storedJson).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  if (entries.length > 1) entries.sort(([one], [other]) => one.length - other.length || (one < other ? -1 : 1));
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}: ${storedJson(item)}`).join(", ")}}`;
}
