import { SourceError } from "../source-error.ts";

/** Limits of everything that an archive unpacks to, the archives inside it included. */
export type Bounds = {
  readonly bytes: number;
  readonly files: number;
  /** Tells how to raise the limit of bytes, after the message that it was exceeded. */
  readonly advice?: string;
};

/** Formats a number of bytes as megabytes. */
const inMegabytes = (bytes: number): string => `${(bytes / 1024 ** 2).toFixed(1)} MB`;

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

  /** Counts an entry. @throws {SourceError} `payload_too_large` */
  countFile(): void {
    this.#files += 1;
    const { files } = this.#bounds;
    if (this.#files > files) throw this.#tooLarge(`has more than ${files.toLocaleString("en")} files.`);
  }

  /** Counts unpacked bytes. @throws {SourceError} `payload_too_large` */
  countBytes(count: number): void {
    this.#bytes += count;
    const { bytes, advice } = this.#bounds;
    if (this.#bytes > bytes) {
      const limit = `unpacks to more than ${inMegabytes(bytes)}.`;
      throw this.#tooLarge(advice === undefined ? limit : `${limit} ${advice}`);
    }
    if (this.#bytes > uncheckedBytes && this.#bytes > this.#archiveBytes * maxCompressionRatio) {
      throw this.#tooLarge(`unpacks to more than ${maxCompressionRatio} times its size, as no export does.`);
    }
  }

  #tooLarge(why: string): SourceError {
    return new SourceError("payload_too_large", `${this.#source} ${why}`);
  }
}
