import { useLayoutEffect } from "react";

let typed = "";

/** Stands for a layer that is being loaded: keys are kept for its field, and do nothing else meanwhile. */
export function TypedAhead(): null {
  useLayoutEffect(() => {
    typed = "";
    const keep = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
      if (event.key === "Backspace") typed = typed.slice(0, -1);
      else if (event.key.length === 1) typed += event.key;
      else return;
      event.preventDefault();
      event.stopImmediatePropagation();
    };
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
