import { Failure } from "../api/failure.ts";
import { beginWork } from "../app/settled.ts";

/** Options of an upload. */
export type UploadOptions = {
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** Called with the bytes that were sent. */
  readonly onProgress: (sent: number) => void;
};

/**
 * Sends a file to the address of an upload, and reports how much of it is sent, which `fetch` does not.
 * @throws {Failure} if the service refused it, or with status 0 if it could not be reached or the signal was aborted
 */
export async function uploadFile(address: string, file: Blob, options: UploadOptions): Promise<void> {
  const endWork = beginWork();
  try {
    await send(address, file, options);
  } finally {
    endWork();
  }
}

function send(address: string, file: Blob, { headers, signal, onProgress }: UploadOptions): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const request = new XMLHttpRequest();
  const { pathname, search } = new URL(address, location.origin);
  request.open("PUT", `${pathname}${search}`);
  for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
  request.upload.addEventListener("progress", ({ loaded }) => onProgress(loaded));
  request.addEventListener("load", () => {
    if (request.status === 200) resolve();
    else reject(new Failure(request.status, errorIn(request.responseText)));
  });
  const unreachable = (): void =>
    reject(new Failure(0, { error: "The service could not be reached.", code: "offline" }));
  request.addEventListener("error", unreachable);
  request.addEventListener("abort", unreachable);
  signal.addEventListener("abort", () => request.abort(), { once: true });
  request.send(file);
  return promise;
}

function errorIn(text: string): { error: string; code: string } {
  try {
    const { error, code } = JSON.parse(text);
    return { error: String(error), code: String(code) };
  } catch {
    return { error: "The file was refused.", code: "internal_error" };
  }
}
