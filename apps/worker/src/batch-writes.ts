/** Collects items for `waitMs` from the first one, then writes them with one call. Each caller waits for its own batch. */
export function batchWrites<T>(
  waitMs: number,
  write: (items: readonly T[]) => Promise<void>,
): (item: T) => Promise<void> {
  let batch: { readonly items: T[]; readonly written: Promise<void> } | undefined;
  return (item) => {
    if (batch === undefined) {
      const items: T[] = [];
      const written = new Promise<void>((resolve) => setTimeout(resolve, waitMs)).then(() => {
        batch = undefined;
        return write(items);
      });
      batch = { items, written };
    }
    batch.items.push(item);
    return batch.written;
  };
}
