import { send } from "../api/call.ts";
import { beginWork } from "../app/settled.ts";
import { FileCount } from "./file-count.ts";

/** How much of an archive has come. */
export type ExportProgress = { readonly bytes: number; readonly files: number };

/** Memory holds at most this much of an archive; browsers keep what a Blob has on the disk. */
const heldBytes = 8 * 1024 * 1024;

/**
 * Reads an archive that the service streams, of any size, and reports its progress.
 * @throws {Failure} if the service refused it or could not be reached, {TypeError} if the connection ended before the archive
 */
export async function readExport(
  address: string,
  signal: AbortSignal,
  onProgress: (progress: ExportProgress) => void,
): Promise<Blob> {
  const endWork = beginWork();
  try {
    const answer = await send(address, { signal });
    if (answer.body === null) throw new TypeError("The answer has no body");
    return await collect(answer.body, onProgress);
  } finally {
    endWork();
  }
}

async function collect(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  onProgress: (progress: ExportProgress) => void,
): Promise<Blob> {
  const type = "application/zip";
  const count = new FileCount();
  const reader = body.getReader();
  let kept = new Blob([], { type });
  let held: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  for (let step = await reader.read(); !step.done; step = await reader.read()) {
    held.push(step.value);
    bytes += step.value.byteLength;
    count.add(step.value);
    onProgress({ bytes, files: count.files });
    if (bytes - kept.size < heldBytes) continue;
    kept = new Blob([kept, ...held], { type });
    held = [];
  }
  return new Blob([kept, ...held], { type });
}
