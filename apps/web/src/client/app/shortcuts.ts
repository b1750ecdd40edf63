import { useEffect, useRef } from "react";

/** A key that works everywhere. `mod` is Ctrl, or ⌘ on Apple's systems. */
type Shortcut = { readonly key: string; readonly mod: boolean };

/** The keys of the app, by what they do. Single keys work outside of fields, menus and the tree only (WCAG 2.1.4). */
export const shortcuts = {
  quickOpen: { key: "k", mod: true },
  create: { key: "c", mod: false },
  edit: { key: "e", mod: false },
  move: { key: "m", mod: false },
  star: { key: "s", mod: false },
  save: { key: "s", mod: true },
  done: { key: "enter", mod: true },
} as const satisfies Record<string, Shortcut>;

/** Calls `action` when the key is pressed. */
export function useShortcut(name: keyof typeof shortcuts, action: () => void): void {
  const latest = useRef(action);
  latest.current = action;
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (!matches(event, shortcuts[name])) return;
      event.preventDefault();
      latest.current();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [name]);
}

function matches(event: KeyboardEvent, { key, mod }: Shortcut): boolean {
  if (event.isComposing || event.altKey || event.defaultPrevented || event.key.toLowerCase() !== key) return false;
  if (mod) return event.ctrlKey || event.metaKey;
  return !event.ctrlKey && !event.metaKey && !ownsKeys(event.target);
}

/** Returns whether letters mean something where the focus is: text, or the beginning of a name. */
function ownsKeys(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      target.closest("input, textarea, select, [role=dialog], [role=menu], [role=tree]") !== null)
  );
}
