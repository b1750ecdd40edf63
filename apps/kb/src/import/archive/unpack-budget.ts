import { CommandError } from "../../failure.ts";
import { inMegabytes } from "../../megabytes.ts";

/** Limits of everything that an archive unpacks to, the archives inside it included. */
export type Bounds = { readonly bytes: number; readonly files: number };

/** Levels of archives inside archives that are opened: a Notion export has two. */
export const maxArchiveDepth = 3;

// Text compresses to a tenth, a thousandth is zeros. Small archives may be anything.
const maxCompressionRatio = 200;
const uncheckedBytes = 64 * 1024 * 1024;

/** Counts what an archive unpacks to, whatever its headers say, because a small archive can expand to any size. */
export class UnpackBudget {
  readonly #source: string;
  readonly #bounds: Bounds;
  readonly #archiveBytes: number;
  #files = 0;
  #bytes = 0;

  constructor(source: string, bounds: Bounds, archiveBytes: number) {
    this.#source = source;
    this.#bounds = bounds;
    this.#archiveBytes = archiveBytes;
  }

  /** Counts an entry. @throws {CommandError} `payload_too_large` */
  countFile(): void {
    this.#files += 1;
    const { files } = this.#bounds;
    if (this.#files > files) throw this.#tooLarge(`has more than ${files.toLocaleString("en")} files.`);
  }

  /** Counts unpacked bytes. @throws {CommandError} `payload_too_large` */
  countBytes(count: number): void {
    this.#bytes += count;
    const { bytes } = this.#bounds;
    if (this.#bytes > bytes) {
      throw this.#tooLarge(`unpacks to more than ${inMegabytes(bytes)}. Raise the limit with --max-unpacked.`);
    }
    if (this.#bytes > uncheckedBytes && this.#bytes > this.#archiveBytes * maxCompressionRatio) {
      throw this.#tooLarge(`unpacks to more than ${maxCompressionRatio} times its size, as no export does.`);
    }
  }

  #tooLarge(why: string): CommandError {
    return new CommandError("payload_too_large", `${this.#source} ${why}`);
  }
}
