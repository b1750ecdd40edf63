import type { EditorView } from "prosemirror-view";
import { useEffect, useState } from "react";

const blocks = 'pre[data-node="codeBlock"]';

/** Returns the block of code of the text that is under the pointer, until a key is pressed; null without one. */
export function useCodeUnderPointer(view: EditorView): HTMLElement | null {
  const [block, setBlock] = useState<HTMLElement | null>(null);
  useEffect(() => {
    const ending = new AbortController();
    const { signal } = ending;
    const page = document.documentElement;
    const hide = (): void => setBlock(null);
    // The mouse may have been there before this was loaded.
    setBlock(view.dom.querySelector<HTMLElement>(`${blocks}:hover`));
    const follow = ({ target, buttons, pointerType }: PointerEvent): void => {
      // The buttons stay away from a selection under way.
      const isPressed = pointerType === "mouse" && buttons !== 0;
      if (isPressed || !(target instanceof Element) || target.closest("[data-code-tools]") !== null) return;
      const found = target.closest<HTMLElement>(blocks);
      setBlock(found !== null && view.dom.contains(found) ? found : null);
    };
    page.addEventListener("pointerover", follow, { signal });
    page.addEventListener("pointerleave", hide, { signal });
    view.dom.addEventListener("keydown", hide, { signal });
    return () => ending.abort();
  }, [view]);
  return block;
}
