import type { z } from "zod";
import { invalid, ServiceError } from "../errors.ts";

/**
 * Parses a value from an administrator and reports errors under the name that they know it by.
 * @throws {ServiceError} `validation_error` that names the field.
 */
export function parseField<T>(path: string, schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw invalid(path, parsed.error.issues[0]?.message ?? "Invalid");
}

/**
 * Returns the only row that a name or an id selects.
 * @throws {ServiceError} `not_found` for none; `conflict` for several of the same name, with their ids.
 */
export function requireOne<T extends { id: string }>(what: string, given: string, rows: readonly T[]): T {
  const [first, second] = rows;
  if (first === undefined) throw new ServiceError("not_found", `There is no ${what} "${given}".`);
  if (second === undefined) return first;
  const ids = rows.map((row) => row.id).join(", ");
  throw new ServiceError("conflict", `There are ${rows.length} ${what}s "${given}". Use one of these ids: ${ids}.`);
}
