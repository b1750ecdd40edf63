import type { EditorView } from "prosemirror-view";
import { type ReactElement, useEffect, useRef } from "react";
import styles from "./beside-text.module.css";
import { showHandle } from "./block-handle.ts";
import { followKeyboard } from "./follow-keyboard.ts";
import { SelectionTools } from "./selection-tools.tsx";

type BesideTextProps = {
  readonly view: EditorView;
  readonly onLink: () => void;
  readonly onClose: () => void;
};

/** What the mouse and fingers have beside the text: a handle to move blocks, and tools over what is selected. */
export function BesideText({ view, onLink }: BesideTextProps): ReactElement {
  const around = useRef<HTMLDivElement>(null);
  useEffect(() => (around.current === null ? undefined : showHandle(view, around.current)), [view]);
  useEffect(followKeyboard, []);
  return (
    <div ref={around} className={styles.around}>
      <SelectionTools view={view} onLink={onLink} />
    </div>
  );
}
