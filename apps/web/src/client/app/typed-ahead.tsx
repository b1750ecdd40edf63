import { useLayoutEffect } from "react";

let typed = "";
let isForPage = false;

/** Stands for a layer that is being loaded: keys are kept for its field, and do nothing else meanwhile. */
export function TypedAhead(): null {
  useLayoutEffect(() => {
    dropKeysForPage();
    typed = "";
    addEventListener("keydown", keep, { capture: true });
    return () => removeEventListener("keydown", keep, { capture: true });
  }, []);
  return null;
}

/** Returns what was typed while a layer was loaded, and forgets it. */
export function takeTypedAhead(): string {
  const taken = typed;
  typed = "";
  return taken;
}

/**
 * Keeps keys for the first field of a page that is on its way, until the field takes them, or the reader points at something, presses
 * Escape, or types into another field.
 */
export function keepKeysForPage(): void {
  typed = "";
  isForPage = true;
  addEventListener("keydown", keepForPage, { capture: true });
  addEventListener("pointerdown", dropKeysForPage, { capture: true });
}

/** Forgets the keys that are kept for a page: it does not come. */
export function dropKeysForPage(): void {
  if (!isForPage) return;
  typed = "";
  isForPage = false;
  removeEventListener("keydown", keepForPage, { capture: true });
  removeEventListener("pointerdown", dropKeysForPage, { capture: true });
}

/** Returns the keys that were kept for this page, and keeps no more. */
export function takeKeysForPage(): string {
  const taken = isForPage ? typed : "";
  dropKeysForPage();
  return taken;
}

const fields = "input, textarea, select, [contenteditable=true]";

function keepForPage(event: KeyboardEvent): void {
  const isInField = event.target instanceof Element && event.target.closest(fields) !== null;
  if (isInField || event.key === "Escape") dropKeysForPage();
  else keep(event);
}

function keep(event: KeyboardEvent): void {
  // AltGr writes letters, and counts as Ctrl with Alt on some systems.
  const isCommand = (event.ctrlKey || event.metaKey || event.altKey) && !event.getModifierState("AltGraph");
  if (isCommand || event.isComposing) return;
  if (event.key === "Backspace") typed = typed.slice(0, -1);
  else if (event.key.length === 1) typed += event.key;
  else return;
  event.preventDefault();
  event.stopImmediatePropagation();
}
