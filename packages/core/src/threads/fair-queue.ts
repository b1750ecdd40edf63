/**
 * A queue that serves owners in turn: an owner with many items delays only its own. Items of one owner keep their order.
 */
export class FairQueue<T> {
  readonly #waiting = new Map<string, T[]>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Returns how many items of one owner are waiting. */
  sizeOf(owner: string): number {
    return this.#waiting.get(owner)?.length ?? 0;
  }

  push(owner: string, item: T): void {
    const items = this.#waiting.get(owner);
    if (items === undefined) this.#waiting.set(owner, [item]);
    else items.push(item);
    this.#size += 1;
  }

  /**
   * Removes and returns the next item; its owner goes to the end of the line.
   * @param mayTake tells whether it may be one of this owner
   */
  shift(mayTake: (owner: string) => boolean = () => true): T | undefined {
    const next = [...this.#waiting].find(([owner]) => mayTake(owner));
    if (next === undefined) return undefined;
    const [owner, items] = next;
    const item = items.shift();
    this.#waiting.delete(owner);
    if (items.length > 0) this.#waiting.set(owner, items);
    this.#size -= 1;
    return item;
  }
}
