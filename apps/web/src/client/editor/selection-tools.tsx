import { TextSelection } from "prosemirror-state";
import type { EditorView } from "prosemirror-view";
import { type ReactElement, useEffect, useLayoutEffect, useRef, useState } from "react";
import styles from "./beside-text.module.css";
import editor from "./editor.module.css";
import { ToolFace } from "./tool-face.tsx";
import { linkTool, markTools } from "./tools.ts";
import { useEditorState } from "./use-editor-state.ts";
import { onViewUpdate } from "./view-updates.ts";

/** A selection that lasts this long is one to do something with. */
const lastingMs = 200;
const gapPx = 8;

type SelectionToolsProps = { readonly view: EditorView; readonly onLink: () => void };

/**
 * The marks and the link of the toolbar, over what was selected with the mouse. The toolbar has them all, so the keyboard and
 * assistive technology pass over these.
 */
export function SelectionTools({ view, onLink }: SelectionToolsProps): ReactElement | null {
  const isShown = useSelectedByMouse(view);
  const element = useRef<HTMLDivElement>(null);
  const on = useEditorState(view, ({ state }) => markTools.flatMap((tool) => (tool.isOn?.(state) ? [tool.label] : [])));
  useLayoutEffect(() => {
    if (isShown && element.current !== null) placeOver(element.current, view);
  });
  if (!isShown) return null;
  return (
    <div
      ref={element}
      className={styles.selection}
      data-selection-tools
      aria-hidden="true"
      // The text keeps its focus and its selection.
      onMouseDown={(event) => event.preventDefault()}
    >
      {markTools.map((tool) => (
        <button
          key={tool.label}
          type="button"
          tabIndex={-1}
          className={editor.tool}
          data-tool={tool.label}
          {...(on.includes(tool.label) && { "data-selected": true })}
          onClick={() => tool.command(view.state, view.dispatch, view)}
        >
          <ToolFace tool={tool} />
        </button>
      ))}
      <button type="button" tabIndex={-1} className={editor.tool} data-tool={linkTool.label} onClick={onLink}>
        <ToolFace tool={linkTool} />
      </button>
    </div>
  );
}

/** Returns whether text was selected with the mouse, a moment ago or longer, and nothing was done since. */
function useSelectedByMouse(view: EditorView): boolean {
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    const ending = new AbortController();
    const { signal } = ending;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const hide = (): void => {
      clearTimeout(timer);
      setShown(false);
    };
    const hasText = (): boolean => {
      const { selection } = view.state;
      return selection instanceof TextSelection && !selection.empty && view.editable && view.hasFocus();
    };
    const watch = ({ pointerType, button }: PointerEvent): void => {
      hide();
      if (pointerType !== "mouse" || button !== 0) return;
      const wait = (): void => {
        timer = setTimeout(() => setShown(hasText()), lastingMs);
      };
      addEventListener("pointerup", wait, { once: true, signal });
    };
    view.dom.addEventListener("pointerdown", watch, { signal });
    view.dom.addEventListener("keydown", hide, { signal });
    view.dom.addEventListener("blur", hide, { signal });
    const endUpdates = onViewUpdate(view, () => {
      if (!hasText()) setShown(false);
    });
    return () => {
      clearTimeout(timer);
      ending.abort();
      endUpdates();
    };
  }, [view]);
  return isShown;
}

/** Puts the tools above the selected text, or below it where the toolbar is; never wider than the text. */
function placeOver(element: HTMLElement, view: EditorView): void {
  const parent = element.offsetParent;
  if (parent === null) return;
  const around = parent.getBoundingClientRect();
  const { from, to } = view.state.selection;
  const start = view.coordsAtPos(from, 1);
  const end = view.coordsAtPos(to, -1);
  const { offsetWidth: width, offsetHeight: height } = element;
  const free = document.querySelector("[data-toolbar]")?.getBoundingClientRect().bottom ?? 0;
  const above = start.top - gapPx - height;
  const top = above > free ? above : end.bottom + gapPx;
  const isOneLine = Math.abs(start.top - end.top) < height;
  const middle = isOneLine ? (start.left + end.left) / 2 : start.left;
  const left = Math.max(0, Math.min(middle - around.left - width / 2, around.width - width));
  element.style.left = `${left}px`;
  element.style.top = `${top - around.top}px`;
}
