import { useEffect, useState, useSyncExternalStore } from "react";
import { touchStore } from "./touch-store.ts";

/** Longer than from one press to the next while a key is held. */
const restMs = 100;

type RowButtons = {
  readonly hasButtons: (key: string) => boolean;
  /** Names the row under the pointer. */
  readonly pointAt: (key: string | undefined) => void;
  /** Gives a row its buttons at once, because they are about to be used, or have the focus that would leave with them. */
  readonly showButtonsOf: (key: string | undefined) => void;
};

/**
 * Tells which rows have their buttons in the page: the one under the pointer, and the one that Tab reaches once the selection has
 * rested there, because making them takes longer than the rest of a move. Where no pointer hovers, all rows have them.
 */
export function useRowButtons(reachableKey: string | undefined): RowButtons {
  const [pointedKey, pointAt] = useState<string>();
  const [restingKey, showButtonsOf] = useState(reachableKey);
  const isTouched = useSyncExternalStore(touchStore.subscribe, touchStore.read);
  useEffect(() => {
    if (reachableKey === restingKey) return;
    const timer = setTimeout(() => showButtonsOf(reachableKey), restMs);
    return () => clearTimeout(timer);
  }, [reachableKey, restingKey]);
  const hasButtons = (key: string): boolean => isTouched || key === pointedKey || key === restingKey;
  return { hasButtons, pointAt, showButtonsOf };
}
