import type { EditorView } from "prosemirror-view";
import { useEffect, useState } from "react";
import { onViewUpdate } from "./view-updates.ts";

/** Returns something about the state of an editor; renders again only when it changes, at most once in a frame. */
export function useEditorState<Value>(view: EditorView, read: (view: EditorView) => Value): Value {
  const [value, setValue] = useState(() => read(view));
  useEffect(() => {
    let frame = 0;
    const update = (): void => {
      frame = 0;
      setValue((known) => {
        const next = read(view);
        return JSON.stringify(known) === JSON.stringify(next) ? known : next;
      });
    };
    const end = onViewUpdate(view, () => {
      if (frame === 0) frame = requestAnimationFrame(update);
    });
    update();
    return () => {
      cancelAnimationFrame(frame);
      end();
    };
    // What is read depends on the view only.
  }, [view]);
  return value;
}
