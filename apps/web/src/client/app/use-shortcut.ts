import { useLayoutEffect, useRef } from "react";
import { hasSingleKeys } from "./preferences.ts";
import { type ShortcutName, shortcuts } from "./shortcuts.ts";

type Action = () => void;

/** What the keys do now, by shortcut. Of several, the latest counts: that of the screen, not of its frame. */
const actions = new Map<ShortcutName, Action[]>();

/** The first stroke of a sequence waits this long for the next one. */
const sequenceMs = 1_500;
let begun: { readonly stroke: string; readonly at: number } | undefined;

/** Calls `action` when the keys of a shortcut are pressed; while it is false, they do nothing. */
export function useShortcut(name: ShortcutName, action: Action | false): void {
  const latest = useRef<Action>(() => {});
  if (action !== false) latest.current = action;
  const isOn = action !== false;
  // Before the picture that shows what the keys do: a key that is pressed right after it would do nothing.
  useLayoutEffect(() => {
    if (!isOn) return;
    const own: Action = () => latest.current();
    actions.set(name, [...(actions.get(name) ?? []), own]);
    // The same function is added once only.
    addEventListener("keydown", press);
    return () => {
      actions.set(
        name,
        (actions.get(name) ?? []).filter((each) => each !== own),
      );
    };
  }, [name, isOn]);
}

function press(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing || event.repeat) return;
  const stroke = strokeOf(event);
  if (stroke === undefined || isTaken(event.target, stroke)) return;
  const first = begun !== undefined && event.timeStamp - begun.at < sequenceMs ? `${begun.stroke} ` : "";
  begun = undefined;
  const action = actionOf(`${first}${stroke}`) ?? actionOf(stroke);
  if (action !== undefined) {
    event.preventDefault();
    action();
  } else if (begins(stroke)) begun = { stroke, at: event.timeStamp };
}

function actionOf(keys: string): Action | undefined {
  for (const [name, own] of actions) {
    if (own.length > 0 && shortcuts[name].keys.some((each) => each === keys)) return own.at(-1);
  }
  return undefined;
}

const begins = (stroke: string): boolean =>
  [...actions].some(
    ([name, own]) => own.length > 0 && shortcuts[name].keys.some((keys) => keys.startsWith(`${stroke} `)),
  );

/** Keys with a modifier, and those that write nothing. The others are single keys, which can be switched off (WCAG 2.1.4). */
const isChord = (stroke: string): boolean => stroke.startsWith("Mod+") || /F\d+$/.test(stroke);

/** Returns whether the focus is where keys have a meaning of their own: in a layer all, in a field and in the tree single keys. */
function isTaken(target: EventTarget | null, stroke: string): boolean {
  if (!isChord(stroke) && !hasSingleKeys()) return true;
  if (!(target instanceof HTMLElement)) return false;
  if (target.closest("[role=dialog], dialog, [role=menu]") !== null) return true;
  if (isChord(stroke)) return false;
  return target.isContentEditable || target.closest("input, textarea, select, [role=tree]") !== null;
}

/** Returns a key with its modifiers in the form of the table; undefined for a modifier alone. */
function strokeOf(event: KeyboardEvent): string | undefined {
  const isWritten = event.getModifierState("AltGraph");
  if (event.altKey && !isWritten) return undefined;
  const key = keyOf(event);
  if (/^(?:Shift|Control|Alt|AltGraph|Meta)$/.test(key)) return undefined;
  const mod = (event.ctrlKey || event.metaKey) && !isWritten ? "Mod+" : "";
  // A symbol may need Shift, depending on the keyboard.
  const shift = event.shiftKey && /^[A-Z]$|^.{2,}$/.test(key) ? "Shift+" : "";
  return `${mod}${shift}${key}`;
}

/** Returns the key, a letter in upper case. On keyboards of other scripts its place counts, as printed on most of them. */
function keyOf({ key, code, shiftKey }: KeyboardEvent): string {
  if (key.length > 1) return key;
  if (/^[!-~]$/.test(key)) return key.toUpperCase();
  if (code === "Slash") return shiftKey ? "?" : "/";
  if (code === "BracketLeft") return "[";
  return /^Key([A-Z])$/.exec(code)?.[1] ?? key;
}
