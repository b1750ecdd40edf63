import type { ReactElement, ReactNode } from "react";
import { Heading } from "react-aria-components";
import { useWords } from "../app/words.tsx";
import dialog from "./dialog.module.css";
import { Modal } from "./modal.tsx";

type ClosingDialogProps = {
  readonly title: string;
  /** Stands before the button that closes the dialog. */
  readonly link?: ReactNode;
  readonly onClose: () => void;
  readonly children: ReactNode;
};

/** A dialog under its title, with a button that closes it: nothing in it waits to be saved. */
export function ClosingDialog({ title, link, onClose, children }: ClosingDialogProps): ReactElement {
  const { messages } = useWords();
  return (
    <Modal label={title} onClose={onClose}>
      <div className={dialog.form}>
        <Heading slot="title" level={2} dir="auto">
          {title}
        </Heading>
        {children}
        <div className={dialog.buttons}>
          {link}
          <button type="button" className="button primary" onClick={onClose}>
            {messages.close}
          </button>
        </div>
      </div>
    </Modal>
  );
}
