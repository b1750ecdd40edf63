import type { z } from "zod";
import { invalid } from "../errors.ts";

/** A place in a list as an opaque text. It is no secret and needs no signature: every page asks the policy again. */
export function sealed(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

/** @throws {ServiceError} `validation_error` for a text that was not sealed for this list. */
export function opened<Schema extends z.ZodType>(schema: Schema, cursor: string): z.output<Schema> {
  const parsed = schema.safeParse(parseJson(Buffer.from(cursor, "base64url").toString()));
  if (!parsed.success) throw foreignCursor();
  return parsed.data;
}

export const foreignCursor = () => invalid("cursor", "Is not a cursor of this list");

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
