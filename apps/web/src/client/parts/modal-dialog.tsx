import { type ReactElement, type ReactNode, useId, useLayoutEffect, useRef } from "react";
import { createPortal } from "react-dom";

type ModalDialogProps = {
  readonly title: string;
  /** Called when the reader closes it; undefined for a dialog that stays. */
  readonly onClose?: () => void;
  readonly children: ReactNode;
};

/**
 * A small dialog in front of the page, named by its heading. The browser keeps the focus in it and gives it back. It is drawn
 * beside the app, because a dialog of React Aria below it makes the app inert.
 */
export function ModalDialog({ title, onClose, children }: ModalDialogProps): ReactElement {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  // Closed while it is still in the page: the browser gives the focus back only then.
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  return createPortal(
    <dialog
      ref={dialog}
      className="modal"
      // Without it, a dialog of React Aria below takes a press in this one for a press beside itself, and closes.
      data-react-aria-top-layer
      aria-labelledby={heading}
      onKeyDown={(event) => {
        // Browsers close a dialog at the second Escape, whatever becomes of its event "cancel".
        if (event.key === "Escape" && onClose === undefined) event.preventDefault();
      }}
      onCancel={(event) => {
        event.preventDefault();
        onClose?.();
      }}
    >
      <h2 id={heading} dir="auto">
        {title}
      </h2>
      {children}
    </dialog>,
    document.body,
  );
}
