import type { z } from "zod";
import { invalid, ServiceError } from "../errors.ts";

/**
 * Parses what an administrator gave under the name that they know it by.
 * @throws {ServiceError} `validation_error` that names the field.
 */
export function parseField<T>(path: string, schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw invalid(path, parsed.error.issues[0]?.message ?? "Invalid");
}

/**
 * Picks the one row that a name or an id means.
 * @throws {ServiceError} `not_found` for none; `conflict` for several of the same name, which lists their ids.
 */
export function onlyOne<T extends { id: string }>(what: string, given: string, rows: readonly T[]): T {
  const [first, second] = rows;
  if (first === undefined) throw new ServiceError("not_found", `There is no ${what} "${given}".`);
  if (second === undefined) return first;
  const ids = rows.map((row) => row.id).join(", ");
  throw new ServiceError("conflict", `There are ${rows.length} ${what}s "${given}". Name one by its id: ${ids}.`);
}
