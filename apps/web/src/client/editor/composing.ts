import type { EditorSession } from "@kb/live/session";
import type { EditorView } from "prosemirror-view";

/** ProseMirror reads what was composed right after the end of the composition. */
const readMs = 60;

/** Keeps changes by others out of the text while an input method writes. One composition may begin with the key that ends another. */
export function composing(session: Pick<EditorSession, "hold" | "release">) {
  let releasing: ReturnType<typeof setTimeout> | undefined;
  return {
    compositionstart: (): void => {
      clearTimeout(releasing);
      session.hold();
    },
    compositionend: (): void => {
      clearTimeout(releasing);
      releasing = setTimeout(() => session.release(), readMs);
    },
  };
}

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
