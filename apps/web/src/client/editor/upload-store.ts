/** A file on its way, in words. */
export type ShownUpload = {
  readonly id: string;
  readonly text: string;
  /** From 0 to 1; undefined for one that is not sent. */
  readonly progress?: number | undefined;
  readonly isFailed: boolean;
  /** Sends it again; undefined while it is on its way. */
  readonly retry?: (() => void) | undefined;
  /** Forgets it, and ends what is under way. */
  readonly remove: () => void;
};

/** The files of one page that are not in the document yet. */
export class UploadStore {
  #list: readonly ShownUpload[] = [];
  readonly #listeners = new Set<() => void>();

  /** In the order in which they were given. */
  get list(): readonly ShownUpload[] {
    return this.#list;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  /** Shows a file, in the place of what was shown of it before. */
  put(shown: ShownUpload): void {
    const isKnown = this.#list.some(({ id }) => id === shown.id);
    this.#show(isKnown ? this.#list.map((each) => (each.id === shown.id ? shown : each)) : [...this.#list, shown]);
  }

  remove(id: string): void {
    this.#show(this.#list.filter((each) => each.id !== id));
  }

  #show(list: readonly ShownUpload[]): void {
    this.#list = list;
    for (const listener of this.#listeners) listener();
  }
}
