import { useEffect, useLayoutEffect } from "react";
import { goOn } from "./server-page.ts";

/** Lets the person go on once the app has taken over the page, and calls a function then. */
export function AfterStart({ run }: { readonly run: () => void }): null {
  useLayoutEffect(() => goOn(), []);
  useEffect(() => run(), [run]);
  return null;
}
