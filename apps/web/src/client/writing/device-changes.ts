const listeners = new Set<() => void>();

/** Calls a function whenever text was kept on this device, or deleted from it, by this page. Returns a function that ends it. */
export function onDeviceChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Tells the listeners of `onDeviceChange`. */
export function reportDeviceChange(): void {
  for (const listener of listeners) listener();
}
