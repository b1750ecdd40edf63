/** `PK\3\4`, with which each file of a ZIP archive begins. */
const mark = [0x50, 0x4b, 0x03, 0x04] as const;

/** Counts the files of a ZIP archive that comes in pieces: an estimate for a progress bar, because data may contain the mark. */
export class FileCount {
  files = 0;
  /** The bytes of the mark that the last piece ended with. */
  #matched = 0;

  add(piece: Uint8Array): void {
    let at = 0;
    while (at < piece.byteLength) {
      if (this.#matched === 0) {
        at = piece.indexOf(mark[0], at);
        if (at === -1) return;
      }
      const isNext = piece[at] === mark[this.#matched];
      // A byte that does not follow may begin the next mark, and is looked at again.
      if (isNext || this.#matched === 0) at += 1;
      this.#matched = isNext ? this.#matched + 1 : 0;
      if (this.#matched < mark.length) continue;
      this.files += 1;
      this.#matched = 0;
    }
  }
}
