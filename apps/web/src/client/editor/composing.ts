import type { EditorSession } from "@kb/live/session";

/** ProseMirror reads what was composed right after the end of the composition. */
export const readMs = 60;

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
