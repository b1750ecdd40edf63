import { call } from "../api/call.ts";
import { Failure, failureOf } from "../api/failure.ts";

type SendOptions = {
  readonly documentId: string;
  readonly contentType: string;
  readonly signal: AbortSignal;
  /** Called with the part that is sent, from 0 to 1. */
  readonly onProgress: (part: number) => void;
};

/**
 * Sends a file to the service, as one that belongs to a document. Returns its public address.
 * @throws {Failure} if the service refused it, or with status 0 if it could not be reached
 */
export async function sendFile(file: File, options: SendOptions): Promise<string> {
  const { documentId, contentType, signal, onProgress } = options;
  const request = { name: file.name, contentType, size: file.size, documentId };
  const { uploadUrl, headers, attachment } = await call("attachments.upload", request, { signal });
  // The service knows itself by another address where the page was opened by a name of its own.
  const { pathname, search } = new URL(uploadUrl);
  const answer = await put(`${pathname}${search}`, file, headers, signal, onProgress);
  if (!answer.ok) throw await failureOf(answer);
  return attachment.url;
}

/** `fetch` does not tell how much is sent. */
function put(
  address: string,
  file: File,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
  onProgress: (part: number) => void,
): Promise<Response> {
  const { promise, resolve, reject } = Promise.withResolvers<Response>();
  const request = new XMLHttpRequest();
  request.open("PUT", address);
  for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
  request.upload.addEventListener("progress", ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total));
  request.addEventListener("load", () => resolve(new Response(request.responseText, { status: request.status })));
  request.addEventListener("error", () =>
    reject(new Failure(0, { error: "The service could not be reached.", code: "offline" })),
  );
  request.addEventListener("abort", () => reject(signal.reason));
  signal.addEventListener("abort", () => request.abort());
  request.send(file);
  return promise;
}
