import { createHash } from "node:crypto";
import { createTarPacker, type TarPackController } from "modern-tar";
import type { Entry } from "./format.ts";

/** The checksum of the bytes of one entry. */
export const checksumOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

/** Names and checksums of entries, one after the other, as one checksum. */
export class Chain {
  readonly #hash = createHash("sha256");
  entries = 0;

  add(name: string, sha256: string): void {
    this.#hash.update(`${name}\n${sha256}\n`);
    this.entries += 1;
  }

  /** Of all entries so far. */
  digest(): string {
    return this.#hash.copy().digest("hex");
  }
}

/** Where an entry says its checksum and its media type: extended headers of POSIX.1-2001, which `tar` passes over. */
export const checksumKey = "KB.sha256";
export const typeKey = "KB.type";

/**
 * The entries as a tar archive. `chain` knows of each from the moment in which it was taken. A signal ends it at once, also
 * while an entry is waited for.
 */
export function packed(entries: AsyncIterable<Entry>, chain: Chain, signal: AbortSignal): AsyncIterable<Uint8Array> {
  const { readable, controller } = createTarPacker();
  signal.addEventListener("abort", () => controller.error(signal.reason), { once: true });
  void pump(entries, chain, controller).catch((error: unknown) => controller.error(error));
  return readable;
}

async function pump(entries: AsyncIterable<Entry>, chain: Chain, controller: TarPackController): Promise<void> {
  for await (const { name, bytes, type } of entries) {
    const sha256 = checksumOf(bytes);
    chain.add(name, sha256);
    const pax = { [checksumKey]: sha256, ...(type === undefined ? {} : { [typeKey]: type }) };
    const writer = controller.add({ name, size: bytes.byteLength, mode: 0o600, pax }).getWriter();
    if (bytes.byteLength > 0) await writer.write(bytes);
    await writer.close();
  }
  controller.finalize();
}
