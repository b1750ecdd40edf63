import { posix } from "node:path";
import { type Explained, explain } from "../explain.ts";
import { SourceError } from "../source-error.ts";

const { dirname } = posix;

/** Limits of everything that an archive unpacks to, the archives inside it included. */
export type Bounds = {
  readonly bytes: number;
  readonly files: number;
  /** Tells how to raise the limit of bytes, after the message that it was exceeded. */
  readonly advice?: string;
};

/** Folders inside one another of which a file is unpacked. Documents are nested less deeply. */
export const maxFolderDepth = 100;

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
  readonly #folders = new Set<string>();
  #files = 0;
  #ignored = 0;
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
    if (this.#files > files) throw tooLarge(explain("too_many_files", { name: this.#source, limit: files }));
  }

  /**
   * Counts an entry of which nothing is unpacked: a file may have one of macOS, and one for its folder.
   * @throws {SourceError} `payload_too_large`
   */
  countIgnored(): void {
    this.#ignored += 1;
    const most = 2 * this.#bounds.files;
    if (this.#ignored > most) throw tooLarge(explain("too_many_entries", { name: this.#source, limit: most }));
  }

  /** Counts the folders of a file that no earlier one was in. @throws {SourceError} `payload_too_large` */
  countFolders(path: string): void {
    const { files } = this.#bounds;
    for (let folder = dirname(path); folder !== "." && !this.#folders.has(folder); folder = dirname(folder)) {
      this.#folders.add(folder);
      if (this.#folders.size > files) {
        throw tooLarge(explain("too_many_folders", { name: this.#source, limit: files }));
      }
    }
  }

  /** Counts unpacked bytes. @throws {SourceError} `payload_too_large` */
  countBytes(count: number): void {
    this.#bytes += count;
    const { bytes, advice } = this.#bounds;
    if (this.#bytes > bytes) {
      const megabytes = bytes / 1024 ** 2;
      throw tooLarge(explain("unpacks_to_too_much", { name: this.#source, megabytes }), advice);
    }
    if (this.#bytes > uncheckedBytes && this.#bytes > this.#archiveBytes * maxCompressionRatio) {
      throw tooLarge(explain("unpacks_out_of_proportion", { name: this.#source, limit: maxCompressionRatio }));
    }
  }
}

function tooLarge({ text, explanation }: Explained, advice?: string): SourceError {
  const said = advice === undefined ? text : `${text} ${advice}`;
  return new SourceError("payload_too_large", { text: said, explanation });
}
