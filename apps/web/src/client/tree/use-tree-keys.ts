import { type KeyboardEvent, type RefObject, useLayoutEffect, useRef } from "react";
import { flushSync } from "react-dom";
import { useWords } from "../app/words.tsx";
import { effectOfKey, rowOfTyped } from "./keys.ts";
import { openRows } from "./open-rows.ts";
import type { ItemRow, Row } from "./rows.ts";
import type { TreeWindow } from "./use-tree-window.ts";

const typingMs = 700;

type KeyOptions = {
  readonly tree: RefObject<HTMLElement | null>;
  readonly rows: readonly Row[];
  readonly indexOf: (key: string | undefined) => number;
  readonly setFocusedKey: (key: string) => void;
  /** Shows the buttons of a row at once. */
  readonly showButtonsOf: (key: string) => void;
  readonly view: TreeWindow;
  /** Does to a row what its buttons do. */
  readonly act: (name: string, row: ItemRow, element: HTMLElement) => void;
  readonly followLink: (link: { readonly href: string }) => void;
};

/** Returns the handler of the keys in the tree. The row that gets the focus is in the page by then. */
export function useTreeKeys(options: KeyOptions): (event: KeyboardEvent<HTMLElement>) => void {
  const { tree, rows, indexOf, setFocusedKey, view } = options;
  const { locale } = useWords();
  const wanted = useRef<string>(undefined);
  const typed = useRef({ text: "", at: 0 });
  useLayoutEffect(() => {
    if (wanted.current === undefined) return;
    const element = tree.current?.querySelector<HTMLElement>(`[data-key="${CSS.escape(wanted.current)}"]`);
    if (!element) return;
    wanted.current = undefined;
    element.focus({ preventScroll: true });
  });
  const focus = (index: number): void => {
    const row = rows[index];
    if (row === undefined) return;
    wanted.current = row.key;
    setFocusedKey(row.key);
    view.scrollTo(index);
  };
  const typeAhead = (index: number, letter: string, now: number, isTyping: boolean): void => {
    const text = isTyping ? typed.current.text + letter : letter;
    typed.current = { text, at: now };
    const found = rowOfTyped(rows, index, text, locale);
    if (found !== undefined) focus(found);
  };
  return (event) => {
    const { key, target } = event;
    // The buttons within a row keep their own keys.
    if (!(target instanceof HTMLElement) || target.role !== "treeitem") return;
    const index = indexOf(target.dataset.key);
    const row = rows[index];
    if (row?.kind !== "item") return;
    const command = commandOf(event);
    // Tab goes on to the buttons of the row, and its menu opens from one of them.
    if (key === "Tab" || command === "menu") flushSync(() => options.showButtonsOf(row.key));
    if (command !== undefined) {
      event.preventDefault();
      return options.act(command, row, target);
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const effect = effectOfKey(key, rows, index, document.dir === "rtl");
    // A space opens the row, unless it belongs to the words of a title.
    const isTyping = typed.current.text !== "" && event.timeStamp - typed.current.at < typingMs;
    const isLetter = [...key].length === 1 && (key !== " " || isTyping);
    const isOpening = key === "Enter" || (key === " " && !isTyping);
    if (effect !== undefined || isOpening || isLetter || key.startsWith("Arrow")) {
      event.preventDefault();
      event.stopPropagation();
    }
    if (effect?.to === "focus") focus(effect.index);
    if (effect?.to === "open") openRows.open([effect.row.key]);
    if (effect?.to === "close") openRows.close(effect.row.key);
    if (isOpening) options.followLink({ href: target.querySelector("a")?.getAttribute("href") ?? "/" });
    if (isLetter) typeAhead(index, key, event.timeStamp, isTyping);
    // Shift and the like belong to the letter that follows.
    else if (effect !== undefined || isOpening) typed.current = { text: "", at: 0 };
  };
}

/** Returns the command of a key, as the buttons and the menu of a row have them. */
function commandOf({ key, altKey, shiftKey }: KeyboardEvent): string | undefined {
  if (key === "F2") return "rename";
  if (key === "ContextMenu" || (key === "F10" && shiftKey)) return "menu";
  if (altKey && key === "ArrowUp") return "up";
  if (altKey && key === "ArrowDown") return "down";
  return undefined;
}
