import { useEffect } from "react";

/** A page that has been open for this time is at rest: nothing that the reader waits for is being loaded. */
const restMs = 1_500;

/** Loads modules once the page is at rest, so that what they show opens at once, and without a network too. */
export function usePreload(preload: () => void): void {
  useEffect(() => {
    const timer = setTimeout(preload, restMs);
    return () => clearTimeout(timer);
  }, [preload]);
}
