import { useEffect } from "react";

/** Calls a function once the app has taken over the page. */
export function AfterStart({ run }: { readonly run: () => void }): null {
  useEffect(() => run(), [run]);
  return null;
}
