/** Returns a value as PostgreSQL reads it in the text format; bytes in the binary format; null for an absent value. */
export function parameterOf(value: unknown): string | Buffer | null {
  if (value === null || value === undefined) return null;
  if (typeof value === "string") return value;
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  if (value instanceof Date) return moment(value);
  if (Array.isArray(value)) return arrayOf(value);
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** Returns a time with a year that PostgreSQL reads: it has neither signs nor a year 0. */
function moment(date: Date): string {
  const text = date.toISOString();
  const year = date.getUTCFullYear();
  if (year > 0) return text.replace(/^\+/, "");
  return `${text.replace(/^-?\d+/, String(1 - year).padStart(4, "0"))} BC`;
}

function arrayOf(values: readonly unknown[]): string {
  return `{${values.map(element).join(",")}}`;
}

function element(value: unknown): string {
  if (Array.isArray(value)) return arrayOf(value);
  const parameter = parameterOf(value);
  if (parameter === null) return "NULL";
  if (typeof parameter !== "string") return `"\\\\x${parameter.toString("hex")}"`;
  return `"${parameter.replaceAll(/["\\]/g, "\\$&")}"`;
}
