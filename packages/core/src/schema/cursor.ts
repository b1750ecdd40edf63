import type { z } from "zod";
import { invalid } from "../errors.ts";

/**
 * Encodes a position in a list as an opaque text. It needs no signature, because every page applies the policy again.
 */
export function encodeCursor(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

/** Decodes a cursor. @throws {ServiceError} `validation_error` for a text that was not made for this list. */
export function decodeCursor<Schema extends z.ZodType>(schema: Schema, cursor: string): z.output<Schema> {
  const parsed = schema.safeParse(parseJson(Buffer.from(cursor, "base64url").toString()));
  if (!parsed.success) throw cursorError();
  return parsed.data;
}

/** Returns the error for a cursor that does not belong to the list. */
export const cursorError = () => invalid("cursor", "Is not a cursor for this list");

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
