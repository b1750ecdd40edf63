import { useLayoutEffect } from "react";
import { stopKeysAhead } from "./keys-ahead.ts";
import { keyAfter } from "./typed-key.ts";

let typed = "";
let isBegun = false;

/** Keeps what was typed before a layer was asked for. */
export function beginTyped(text: string): void {
  typed = text;
  isBegun = true;
}

/** Stands for a layer that is being loaded: keys are kept for its field, and do nothing else meanwhile. */
export function TypedAhead(): null {
  useLayoutEffect(() => {
    stopKeysAhead();
    if (!isBegun) typed = "";
    isBegun = false;
    addEventListener("keydown", keep, { capture: true });
    return () => removeEventListener("keydown", keep, { capture: true });
  }, []);
  return null;
}

/** Returns what was typed while a layer was loaded, and forgets it. */
export function takeTypedAhead(): string {
  const taken = typed;
  typed = "";
  isBegun = false;
  return taken;
}

function keep(event: KeyboardEvent): void {
  const after = keyAfter(typed, event, { hasLines: false });
  if (after === undefined) return;
  typed = after;
  event.preventDefault();
  event.stopImmediatePropagation();
}
