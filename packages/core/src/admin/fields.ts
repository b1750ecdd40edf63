import { z } from "zod";
import { invalid, ServiceError } from "../errors.ts";
import { Text } from "../schema/text.ts";

/** An e-mail address as it is stored and compared: trimmed, lower case. */
export const Email = Text.transform((text) => text.trim().toLowerCase()).pipe(
  z.email("Must be an e-mail address").max(254, "At most 254 characters"),
);

/** The name of a person, a team, a key or a channel. */
export const Name = Text.transform((text) => text.trim()).pipe(
  z.string().min(1, "Must not be empty").max(255, "At most 255 characters"),
);

/** A password that somebody chose: long enough to be worth hashing. */
export const Password = z.string().min(8, "At least 8 characters").max(1024, "At most 1,024 characters");

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
