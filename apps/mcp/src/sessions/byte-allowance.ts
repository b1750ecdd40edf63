/** Counts the bytes that several holders use, each within a limit. */
export class ByteAllowance {
  readonly #used = new Map<string, number>();

  /** The number of holders that use bytes now. */
  get size(): number {
    return this.#used.size;
  }

  /** Returns the bytes that a holder uses. */
  of(holder: string): number {
    return this.#used.get(holder) ?? 0;
  }

  /** Counts bytes for every holder; for none of them, and returns false, if one has too little left. */
  take(bytes: number, holders: readonly { readonly name: string; readonly limit: number }[]): boolean {
    if (holders.some(({ name, limit }) => this.of(name) + bytes > limit)) return false;
    for (const { name } of holders) this.#used.set(name, this.of(name) + bytes);
    return true;
  }

  /** Returns bytes that every holder had taken. */
  free(bytes: number, holders: readonly { readonly name: string }[]): void {
    for (const { name } of holders) {
      const left = this.of(name) - bytes;
      if (left > 0) this.#used.set(name, left);
      else this.#used.delete(name);
    }
  }
}
