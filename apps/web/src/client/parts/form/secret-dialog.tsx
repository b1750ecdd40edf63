import { type ReactElement, useState } from "react";
import { settingsWords } from "../../app/settings-words.ts";
import { ModalDialog } from "../modal-dialog.tsx";
import { CopyField } from "./copy-field.tsx";

type SecretDialogProps = {
  readonly title: string;
  /** What the secret is for. */
  readonly text?: string;
  readonly label: string;
  readonly secret: string;
  readonly onClose: () => void;
};

/** Shows a secret that is not kept anywhere. Escape closes it only once the secret is copied; the button says that it is kept. */
export function SecretDialog({ title, text, label, secret, onClose }: SecretDialogProps): ReactElement {
  const { frame } = settingsWords;
  const [isCopied, setCopied] = useState(false);
  return (
    <ModalDialog title={title} {...(isCopied && { onClose })}>
      {text !== undefined && <p>{text}</p>}
      <p>{frame.secretWarning}</p>
      <CopyField label={label} text={secret} onCopied={() => setCopied(true)} />
      <div className="buttons">
        <button type="button" className="button primary" onClick={onClose}>
          {frame.secretSaved}
        </button>
      </div>
    </ModalDialog>
  );
}
