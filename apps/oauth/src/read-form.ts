import { ServiceError } from "@kb/core";
import type { EdgeContext } from "@kb/http";
import { readFormBody } from "./form-body.ts";

/**
 * Reads a form as a page without script sends it. A missing field is empty.
 * @throws {ServiceError} `unsupported_media_type`, `payload_too_large`, or `validation_error` for a repeated field.
 */
export async function readForm<Name extends string>(
  context: EdgeContext,
  names: readonly Name[],
): Promise<Readonly<Record<Name, string>>> {
  const fields = await readFormBody(context);
  if (fields === null) throw new ServiceError("unsupported_media_type", "This page accepts only its own form.");
  const repeated = names.find((name) => fields.getAll(name).length > 1);
  if (repeated !== undefined) {
    throw new ServiceError("validation_error", `The form contains the field "${repeated}" more than once.`);
  }
  const entries = names.map((name) => [name, fields.get(name) ?? ""]);
  return Object.fromEntries(entries);
}
