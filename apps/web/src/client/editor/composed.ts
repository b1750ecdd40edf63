import type { EditorView } from "prosemirror-view";
import { readMs } from "./composing.ts";

/** Some browsers end a composition without saying so. */
const longestMs = 3_000;

/**
 * Returns once no input method writes in a view: a change of the page around the caret would end the composition, or double
 * its letters.
 */
export async function composed(view: Pick<EditorView, "composing" | "dom" | "isDestroyed">): Promise<void> {
  while (view.composing && !view.isDestroyed) {
    const { promise, resolve } = Promise.withResolvers<void>();
    const longest = setTimeout(resolve, longestMs);
    const endSoon = (): void => void setTimeout(resolve, readMs);
    view.dom.addEventListener("compositionend", endSoon, { once: true });
    await promise;
    clearTimeout(longest);
    view.dom.removeEventListener("compositionend", endSoon);
  }
}
