import { invalid, ServiceError } from "@kb/core";
import { type Outgoing, OutgoingError } from "@kb/outgoing";

/** The largest file in a tool call, in bytes. A larger one is sent to an upload URL. */
export const maxFileBytes = 5 * 1024 * 1024;

const timeoutMs = 15_000;

function tooLarge(): ServiceError {
  const message = "The file is larger than 5 MB.";
  return new ServiceError("payload_too_large", message, { details: [{ path: "file", message }] });
}

/** Decodes a file from a parameter. @throws {ServiceError} if it is not base64 or is too large. */
export function decodeFile(base64: string): Uint8Array {
  const text = base64.replace(/^data:[^,]{0,200};base64,/i, "");
  if ((text.length * 3) / 4 > maxFileBytes + 4) throw tooLarge();
  if (!/^[A-Za-z0-9+/_-]+={0,2}\s*$/.test(text)) throw invalid("dataBase64", "Must be base64");
  const bytes = Buffer.from(text, "base64");
  if (bytes.byteLength > maxFileBytes) throw tooLarge();
  return bytes;
}

/** Fetches an image from a URL that an assistant names. @throws {ServiceError} with the reason if it fails. */
export async function fetchImage(outgoing: Outgoing | undefined, url: string): Promise<Uint8Array> {
  if (outgoing === undefined) {
    throw new ServiceError("unavailable", "This server does not fetch images. Send dataBase64 instead.");
  }
  const { status, body } = await outgoing(url, { timeoutMs, maxBytes: maxFileBytes }).catch((error: unknown) => {
    if (!(error instanceof OutgoingError)) throw error;
    throw error.code === "too_large" ? tooLarge() : invalid("url", error.message);
  });
  if (status >= 300 && status < 400) throw invalid("url", "Answers with a redirect. Give the final URL");
  if (status !== 200) throw invalid("url", `Answers with status ${status}`);
  return body;
}
