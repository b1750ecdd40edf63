/** Whether Enter begins a line, as in a text; in a field of one line it does nothing. */
type TypedInto = { readonly hasLines: boolean };

/** Returns what is typed after one more key; undefined for a key that writes nothing. */
export function keyAfter(typed: string, event: KeyboardEvent, { hasLines }: TypedInto): string | undefined {
  // AltGr writes letters, and counts as Ctrl with Alt on some systems.
  const isCommand = (event.ctrlKey || event.metaKey || event.altKey) && !event.getModifierState("AltGraph");
  if (isCommand || event.isComposing) return undefined;
  // The key that began it is still held down.
  const isHeld = event.repeat && typed === "";
  if (event.key === "Backspace") return typed.slice(0, -1);
  if (event.key === "Enter") return hasLines && !isHeld ? `${typed}\n` : typed;
  if (event.key.length === 1) return isHeld ? typed : typed + event.key;
  return undefined;
}
