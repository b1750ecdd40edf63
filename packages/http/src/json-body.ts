import { ServiceError } from "@kb/core";
import { addBodyBytes } from "@kb/telemetry";
import { BodyRoom } from "./body-room.ts";
import { MalformedBodyError, parseJsonText, shortBytes } from "./json-text.ts";

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
export function readJsonBody(request: Request, owner: string, maxBytes: number = maxJsonBytes): Promise<JsonBody> {
  return withBytes(request, { owner, maxBytes }, async (bytes) => {
    if (bytes.byteLength === 0) return { bytes, value: {} };
    requireJson(request.headers);
    return { bytes, value: objectOf(await parseJsonText(bytes, owner)) };
  });
}

type TakeRoom = (bytes: number) => Promise<void>;

const room = new BodyRoom();

/**
 * Reads at most `maxBytes`, and returns the result of `work` on them. A large body has room among those of its owner until
 * `work` has ended, and waits for it before it is read.
 * @throws {ServiceError} as `readBytes` and `work`, and `unavailable` if too many large bodies of the owner wait
 */
export async function withBytes<T>(
  request: Request,
  { owner, maxBytes }: { readonly owner: string; readonly maxBytes: number },
  work: (bytes: Uint8Array<ArrayBuffer>) => Promise<T>,
): Promise<T> {
  let leave = (): void => {};
  try {
    const bytes = await readBytes(request, maxBytes, async (size) => {
      leave = await room.enter(owner, size);
    });
    return await work(bytes);
  } finally {
    leave();
  }
}

/**
 * Reads at most `maxBytes`, however the body is framed.
 * @param takeRoom is called before a large body is read, with the bytes that it may have
 * @throws {ServiceError} `payload_too_large`, `validation_error` for a body that ends early, or that of `takeRoom`
 */
export async function readBytes(
  request: Request,
  maxBytes: number,
  takeRoom: TakeRoom = async () => {},
): Promise<Uint8Array<ArrayBuffer>> {
  const declared = request.headers.get("Content-Length");
  if (declared !== null && Number(declared) > maxBytes) throw tooLarge(maxBytes);
  try {
    if (declared === null) return await readStream(request, maxBytes, takeRoom);
    if (Number(declared) > shortBytes) await takeRoomOrDiscard(request, Number(declared), takeRoom);
    // The HTTP parser enforces a declared length, so the whole body can be read at once.
    return new Uint8Array(await request.arrayBuffer());
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    throw new ServiceError("validation_error", "The request body ended early.", { cause: error });
  }
}

/** Takes room for a body. Where there is none, its client is answered once it has sent everything: many read nothing before. */
async function takeRoomOrDiscard(request: Request, bytes: number, takeRoom: TakeRoom): Promise<void> {
  try {
    await takeRoom(bytes);
  } catch (error) {
    await request.body?.pipeTo(new WritableStream()).catch(() => {});
    throw error;
  }
}

/** The maximum number of pieces of a body. Each costs the server as much as a kilobyte. */
const maxPieces = 10_000;

async function readStream(request: Request, maxBytes: number, takeRoom: TakeRoom): Promise<Uint8Array<ArrayBuffer>> {
  if (request.body === null) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let size = 0;
  let hasRoom = false;
  const reader = request.body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return new Uint8Array(Buffer.concat(chunks, size));
      size += value.byteLength;
      addBodyBytes(value.byteLength);
      if (size > maxBytes) throw tooLarge(maxBytes);
      if (chunks.length === maxPieces) throw new MalformedBodyError("The request body arrives in too many pieces.");
      chunks.push(value);
      if (size > shortBytes && !hasRoom) {
        await takeRoom(maxBytes);
        hasRoom = true;
      }
    }
  } catch (error) {
    void reader.cancel().catch(() => {});
    throw error;
  }
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
