import { constants, createDeflateRaw, type DeflateRaw } from "node:zlib";

/** An empty last block (RFC 1951 §3.2.6), which ends the stream that a flush left open. */
const lastBlock = Buffer.from([0x03, 0x00]);

/**
 * Compresses one file after the other, outside of the event loop, with one compressor for all of them: a full flush makes
 * the files independent, and no compressor is created for each.
 */
export class Deflater {
  readonly #stream: DeflateRaw = createDeflateRaw({ level: 6 });
  #failure: Error | undefined;
  #taken: Buffer[] = [];

  constructor() {
    this.#stream.on("data", (chunk: Buffer) => this.#taken.push(chunk));
    this.#stream.on("error", (error) => {
      this.#failure = error;
    });
  }

  /** Returns the compressed form of a part of a file. */
  async part(bytes: Uint8Array): Promise<Buffer[]> {
    if (this.#failure !== undefined) throw this.#failure;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#stream.write(bytes, (error) => (error ? reject(error) : this.#stream.flush(constants.Z_FULL_FLUSH, resolve)));
    await promise;
    const taken = this.#taken;
    this.#taken = [];
    return taken;
  }

  /** Returns the last block of one file, which follows its parts. */
  end(): Buffer {
    return lastBlock;
  }

  close(): void {
    this.#stream.destroy();
  }
}
