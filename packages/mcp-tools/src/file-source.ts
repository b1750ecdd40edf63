import { fetchFile, invalid, ServiceError, tooLargeFile } from "@kb/core";
import type { ToolContext } from "./tool.ts";

/** The largest file in a tool call, in bytes. A larger one is sent to an upload URL. */
export const maxFileBytes = 5 * 1024 * 1024;

/** Decodes a file from a parameter. @throws {ServiceError} if it is not base64 or is too large. */
export function decodeFile(base64: string): Uint8Array {
  const text = base64.replace(/^data:[^,]{0,200};base64,/i, "");
  if ((text.length * 3) / 4 > maxFileBytes + 4) throw tooLargeFile(maxFileBytes);
  if (!/^[A-Za-z0-9+/_-]+={0,2}\s*$/.test(text)) throw invalid("dataBase64", "Must be base64");
  const bytes = Buffer.from(text, "base64");
  if (bytes.byteLength > maxFileBytes) throw tooLargeFile(maxFileBytes);
  return bytes;
}

/**
 * Fetches an image from a URL that an assistant names, and returns the result of `use`.
 * @throws {ServiceError} with the reason if it cannot be fetched
 */
export async function fetchImage<T>(
  { outgoing, actor }: ToolContext,
  url: string,
  use: (bytes: Uint8Array) => Promise<T>,
): Promise<T> {
  if (outgoing === undefined) {
    throw new ServiceError("unavailable", "This server does not fetch images. Send dataBase64 instead.");
  }
  return fetchFile(outgoing, url, { actor, maxBytes: maxFileBytes }, ({ bytes }) => use(bytes));
}
