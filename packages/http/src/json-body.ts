import { ServiceError } from "@kb/core";
import { MalformedBodyError, parseJsonText } from "./json-text.ts";

/** The largest JSON body, in bytes. */
export const maxJsonBytes = 5 * 1024 * 1024;

/** The bytes of a request and the object that they encode. */
export type JsonBody = { readonly bytes: Uint8Array<ArrayBuffer>; readonly value: Readonly<Record<string, unknown>> };

/**
 * Reads a request's JSON object. An empty body is an empty object, whatever its type.
 * @param owner the user or address whose large bodies wait for each other first
 * @throws {ServiceError} `payload_too_large`, `unsupported_media_type`, `validation_error` with the position of a fault, or
 *   `unavailable` if too many large bodies wait
 */
export async function readJsonBody(
  request: Request,
  owner: string,
  maxBytes: number = maxJsonBytes,
): Promise<JsonBody> {
  const bytes = await readBytes(request, maxBytes);
  if (bytes.byteLength === 0) return { bytes, value: {} };
  requireJson(request.headers);
  return { bytes, value: objectOf(await parseJsonText(bytes, owner)) };
}

/**
 * Reads at most `maxBytes`, however the body is framed.
 * @throws {ServiceError} `payload_too_large`, or `validation_error` for a body that ends early.
 */
export async function readBytes(request: Request, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const declared = request.headers.get("Content-Length");
  if (declared !== null && Number(declared) > maxBytes) throw tooLarge(maxBytes);
  try {
    // The HTTP parser enforces a declared length, so the whole body can be read at once.
    if (declared !== null) return new Uint8Array(await request.arrayBuffer());
    return await readStream(request, maxBytes);
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    throw new ServiceError("validation_error", "The request body ended early.", { cause: error });
  }
}

/** The maximum number of pieces of a body. Each costs the server as much as a kilobyte. */
const maxPieces = 10_000;

async function readStream(request: Request, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  if (request.body === null) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = request.body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.byteLength;
    if (size > maxBytes || chunks.length === maxPieces) {
      void reader.cancel().catch(() => {});
      throw size > maxBytes
        ? tooLarge(maxBytes)
        : new MalformedBodyError("The request body arrives in too many pieces.");
    }
    chunks.push(value);
  }
  return new Uint8Array(Buffer.concat(chunks, size));
}

function tooLarge(maxBytes: number): ServiceError {
  return new ServiceError("payload_too_large", `The request body may have at most ${maxBytes} bytes.`);
}

function requireJson(headers: Headers): void {
  const encoding = headers.get("Content-Encoding") ?? "identity";
  if (encoding.trim().toLowerCase() !== "identity") {
    throw new ServiceError("unsupported_media_type", "Send the body without a Content-Encoding.");
  }
  const [type = "", ...parameters] = (headers.get("Content-Type") ?? "").toLowerCase().split(";");
  const charset = parameters.map((parameter) => /^\s*charset\s*=\s*"?([^"\s]*)"?\s*$/.exec(parameter)?.[1]);
  const foreign = charset.some((name) => name !== undefined && name !== "utf-8" && name !== "utf8");
  if (type.trim() !== "application/json" || foreign) {
    throw new ServiceError("unsupported_media_type", "Send the body as Content-Type: application/json (UTF-8).");
  }
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  if (isObject(value)) return value;
  throw new MalformedBodyError("The request body must be a JSON object.");
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
