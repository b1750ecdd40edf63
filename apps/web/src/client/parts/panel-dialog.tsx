import { type ReactElement, type ReactNode, useEffectEvent, useLayoutEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { useWords } from "../app/words.tsx";
import dialog from "./dialog.module.css";

type PanelDialogProps = {
  /** The name of the dialog. */
  readonly label: string;
  readonly onClose: () => void;
  /** What the panel shows. It has one control, which takes the focus and keeps it. */
  readonly children: ReactNode;
};

/**
 * A panel in front of the page around one field, such as that of a picker. Escape and a press beside it close it; the focus stays
 * in it and goes back to where it was. It covers the page and says that it is modal, but makes nothing inert, as other dialogs do:
 * the browser would compute the style of the whole page anew for each opening.
 */
export function PanelDialog({ label, onClose, children }: PanelDialogProps): ReactElement {
  const { messages } = useWords();
  const element = useRef<HTMLDivElement>(null);
  const close = useEffectEvent(onClose);
  // Read before the field, which is in the page sooner than the effect, takes the focus.
  const [before] = useState(() => document.activeElement);
  useLayoutEffect(() => {
    const endListening = element.current === null ? undefined : watchPresses(element.current, () => close());
    return () => {
      endListening?.();
      if (before instanceof HTMLElement) before.focus({ preventScroll: true });
    };
  }, [before]);
  return createPortal(
    <div ref={element} className={dialog.overlay} data-react-aria-top-layer>
      <dialog
        open
        // biome-ignore lint/a11y/noRedundantRoles: every dialog has the attribute, so that one selector finds all layers.
        role="dialog"
        className={dialog.panel}
        aria-modal="true"
        aria-label={label}
        onKeyDown={(event) => {
          // After the field, whose first Escape empties it.
          if (event.key === "Tab") event.preventDefault();
          if (event.key === "Escape" && !event.nativeEvent.isComposing) onClose();
        }}
      >
        {/* For screen readers on a touch screen, where nobody has Escape. */}
        <button type="button" tabIndex={-1} className="visually-hidden" onClick={onClose}>
          {messages.close}
        </button>
        {children}
      </dialog>
    </div>,
    document.body,
  );
}

/** Keeps the focus where it is at a press in a dialog, and calls `close` for one that began and ended beside its panel. */
function watchPresses(element: HTMLElement, close: () => void): () => void {
  let isBeside = false;
  const listeners = new AbortController();
  const { signal } = listeners;
  const onPress = (event: MouseEvent): void => {
    isBeside = event.target === element;
    // Only a field takes the focus: a press on anything else would take it from the one that is there.
    if (!(event.target instanceof HTMLInputElement)) event.preventDefault();
  };
  const onClick = ({ target }: MouseEvent): void => {
    if (isBeside && target === element) close();
  };
  element.addEventListener("mousedown", onPress, { signal });
  element.addEventListener("click", onClick, { signal });
  return () => listeners.abort();
}
