import { createHash } from "node:crypto";
import { createTarPacker, type TarPackController } from "modern-tar";
import type { Entry } from "./format.ts";

/** Returns the checksum of the bytes of an entry. */
export const checksumOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

/** Computes one checksum over the names and checksums of entries. */
export class Chain {
  readonly #hash = createHash("sha256");
  entries = 0;

  add(name: string, sha256: string): void {
    this.#hash.update(`${name}\n${sha256}\n`);
    this.entries += 1;
  }

  /** Returns the checksum of all entries so far. */
  digest(): string {
    return this.#hash.copy().digest("hex");
  }
}

/** Keys of the checksum and the media type in POSIX.1-2001 extended headers, which `tar` ignores. */
export const checksumKey = "KB.sha256";
export const typeKey = "KB.type";

/**
 * Packs entries into a tar archive and adds each to `chain`. The signal aborts it at once, even while it waits for an entry.
 */
export function packEntries(
  entries: AsyncIterable<Entry>,
  chain: Chain,
  signal: AbortSignal,
): AsyncIterable<Uint8Array> {
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
