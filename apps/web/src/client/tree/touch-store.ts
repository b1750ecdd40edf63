const coarsePointer = matchMedia("(pointer: coarse)");

/** Whether the reader has no pointer that hovers, for `useSyncExternalStore`. It changes when a mouse or a keyboard is attached. */
export const touchStore = {
  subscribe(onChange: () => void): () => void {
    coarsePointer.addEventListener("change", onChange);
    return () => coarsePointer.removeEventListener("change", onChange);
  },
  read: (): boolean => coarsePointer.matches,
};
