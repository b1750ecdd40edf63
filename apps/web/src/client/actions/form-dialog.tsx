import { type FormEvent, type ReactElement, type ReactNode, useState } from "react";
import { Heading } from "react-aria-components";
import { useWords } from "../app/words.tsx";
import dialog from "../parts/dialog.module.css";
import { Modal } from "../parts/modal.tsx";
import { failureText } from "./failure-text.ts";

type FormDialogProps = {
  readonly title: string;
  readonly submitLabel: string;
  /** Saves; the dialog stays open and says so if it fails. */
  readonly onSubmit: () => Promise<void>;
  readonly onClose: () => void;
  readonly children: ReactNode;
};

/** A dialog with a form: what is typed stays while saving fails. */
export function FormDialog({ title, submitLabel, onSubmit, onClose, children }: FormDialogProps): ReactElement {
  const { messages } = useWords();
  const [failure, setFailure] = useState<string>();
  const [isSaving, setSaving] = useState(false);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (isSaving) return;
    setSaving(true);
    setFailure(undefined);
    try {
      await onSubmit();
      onClose();
    } catch (error) {
      setFailure(failureText(error, messages));
      setSaving(false);
    }
  };
  return (
    <Modal label={title} onClose={onClose}>
      <form className={dialog.form} onSubmit={(event) => void submit(event)}>
        <Heading slot="title" level={2} dir="auto">
          {title}
        </Heading>
        {children}
        {failure !== undefined && (
          <p role="alert" className={dialog.failure}>
            {failure}
          </p>
        )}
        <div className={dialog.buttons}>
          <button type="button" className="button" onClick={onClose}>
            {messages.cancel}
          </button>
          <button type="submit" className="button primary" aria-busy={isSaving}>
            {submitLabel}
          </button>
        </div>
      </form>
    </Modal>
  );
}
