import { type ReactElement, useState } from "react";
import { useWords } from "../app/words.tsx";
import { ModalDialog } from "./modal-dialog.tsx";

type ConfirmDialogProps = {
  readonly title: string;
  readonly text: string;
  /** The words of the button that confirms. */
  readonly action: string;
  /** A word that has to be typed first. */
  readonly typed?: string;
  /** Why the last attempt did not work. */
  readonly failure?: string | undefined;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
};

/** Asks before something that cannot be taken back. The focus is on the safe button, or on the field for the word. */
export function ConfirmDialog(props: ConfirmDialogProps): ReactElement {
  const { title, text, action, typed, failure, onConfirm, onClose } = props;
  const { messages } = useWords();
  const [word, setWord] = useState("");
  const isConfirmed = typed === undefined || word.trim().toLowerCase() === typed.toLowerCase();
  return (
    <ModalDialog title={title} onClose={onClose}>
      <form
        method="dialog"
        onSubmit={(event) => {
          event.preventDefault();
          if (isConfirmed) onConfirm();
        }}
      >
        <p>{text}</p>
        {typed !== undefined && (
          <label>
            {messages.typeToConfirm(typed)}
            {/* biome-ignore lint/a11y/noAutofocus: a dialog moves the focus to its first field (APG). */}
            <input value={word} onChange={(event) => setWord(event.target.value)} autoFocus autoComplete="off" />
          </label>
        )}
        {failure !== undefined && (
          <p className="failure" role="alert">
            {failure}
          </p>
        )}
        <div className="buttons">
          {/* biome-ignore lint/a11y/noAutofocus: a dialog moves the focus to its safe button (APG). */}
          <button type="button" className="button" onClick={onClose} autoFocus={typed === undefined}>
            {messages.cancel}
          </button>
          <button type="submit" className="button alarm" disabled={!isConfirmed}>
            {action}
          </button>
        </div>
      </form>
    </ModalDialog>
  );
}
