import { ServiceError } from "@kb/core";
import type { EdgeContext } from "@kb/http";

/** Far more than any form here needs. */
const maxBytes = 16_384;

/**
 * Reads a form as a page without script sends it. A field that is not there is empty.
 * @throws {ServiceError} `unsupported_media_type`, `payload_too_large`, or `validation_error` for a field given twice.
 */
export async function readForm<Name extends string>(
  context: EdgeContext,
  names: readonly Name[],
): Promise<Readonly<Record<Name, string>>> {
  const type = (context.req.header("Content-Type") ?? "").split(";")[0]?.trim().toLowerCase();
  if (type !== "application/x-www-form-urlencoded") {
    throw new ServiceError("unsupported_media_type", "This page takes what its own form sends.");
  }
  const fields = new URLSearchParams(await readText(context));
  const twice = names.find((name) => fields.getAll(name).length > 1);
  if (twice !== undefined) throw new ServiceError("validation_error", `The form has its field "${twice}" twice.`);
  const entries = names.map((name) => [name, fields.get(name) ?? ""]);
  return Object.fromEntries(entries);
}

async function readText(context: EdgeContext): Promise<string> {
  const tooLarge = () => new ServiceError("payload_too_large", "The form is too large.");
  if (Number(context.req.header("Content-Length") ?? 0) > maxBytes) throw tooLarge();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of context.req.raw.body ?? []) {
    size += chunk.byteLength;
    if (size > maxBytes) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
