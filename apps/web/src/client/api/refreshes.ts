const listeners = new Set<() => void>();

/** Calls a function whenever changes of the service were read. Returns a function that ends it. */
export function onRefresh(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Announces that changes of the service were read. */
export function announceRefresh(): void {
  for (const listener of listeners) listener();
}
