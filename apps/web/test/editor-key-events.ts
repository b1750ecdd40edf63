import type { CDPSession } from "playwright-core";

/** The codes of keys that are no letters, and the text of those that write something. */
const codes: Readonly<Record<string, readonly [code: number, text?: string]>> = {
  Backspace: [8],
  Tab: [9],
  Enter: [13, "\r"],
  Escape: [27],
  End: [35],
  Home: [36],
  PageUp: [33],
  ArrowLeft: [37],
  ArrowUp: [38],
  ArrowRight: [39],
  ArrowDown: [40],
  Delete: [46],
};
const modifierBits: Readonly<Record<string, number>> = { Alt: 1, Control: 2, Shift: 8 };

/** Presses a key with its modifiers, as `Control+Shift+7`. Returns what has to be waited for. */
export function pressKeys(devtools: CDPSession, keys: string): Promise<unknown>[] {
  const parts = keys.split("+");
  const key = parts.pop() ?? "";
  const modifiers = parts.reduce((sum, name) => sum + (modifierBits[name] ?? 0), 0);
  const [code, text] = codes[key] ?? [key.toUpperCase().charCodeAt(0)];
  // A key with Shift is still that of a new line, and one with Ctrl writes nothing.
  const written = (modifiers & 3) === 0 && text !== undefined ? { text } : {};
  const event = { key, code: codes[key] === undefined ? codeOf(key) : key, windowsVirtualKeyCode: code, modifiers };
  return [
    devtools.send("Input.dispatchKeyEvent", {
      type: "text" in written ? "keyDown" : "rawKeyDown",
      ...event,
      ...written,
    }),
    devtools.send("Input.dispatchKeyEvent", { type: "keyUp", ...event }),
  ];
}

const codeOf = (key: string): string => (/\d/.test(key) ? `Digit${key}` : `Key${key.toUpperCase()}`);

/** Types a text, one key for each character. Returns what has to be waited for. */
export function typeText(devtools: CDPSession, text: string): Promise<unknown>[] {
  return [...text].flatMap((key) => [
    devtools.send("Input.dispatchKeyEvent", { type: "keyDown", key, text: key }),
    devtools.send("Input.dispatchKeyEvent", { type: "keyUp", key }),
  ]);
}
