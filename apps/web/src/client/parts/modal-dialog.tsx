import { type ReactElement, type ReactNode, useId, useLayoutEffect, useRef } from "react";

type ModalDialogProps = {
  readonly title: string;
  /** Called when the reader closes it; undefined for a dialog that stays. */
  readonly onClose?: () => void;
  readonly children: ReactNode;
};

/** A small dialog in front of the page, named by its heading. The browser keeps the focus in it and gives it back. */
export function ModalDialog({ title, onClose, children }: ModalDialogProps): ReactElement {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  // Closed while it is still in the page: the browser gives the focus back only then.
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      className="modal"
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
    </dialog>
  );
}
