import { type ReactElement, useState } from "react";
import { useWords } from "../app/words.tsx";
import { ConfirmDialog } from "../parts/confirm-dialog.tsx";
import { failureText } from "./failure-text.ts";
import { logOutAndDropDrafts } from "./log-out.ts";

type LogOutDialogProps = {
  /** The number of documents with text that the service does not have. */
  readonly drafts: number;
  readonly onClose: () => void;
};

/** Asks whether to delete what is not sent yet: after the log-out, somebody else may use this device. */
export function LogOutDialog({ drafts, onClose }: LogOutDialogProps): ReactElement {
  const { messages } = useWords();
  const [isLeaving, setLeaving] = useState(false);
  const [failure, setFailure] = useState<string>();
  const leave = async (): Promise<void> => {
    if (isLeaving) return;
    setLeaving(true);
    setFailure(undefined);
    const problem = await logOutAndDropDrafts();
    if (problem === undefined) return;
    const { kind, error } = problem;
    setFailure(kind === "unknown" ? messages.logOutUnknown : messages.logOutFailed(failureText(error, messages)));
    setLeaving(false);
  };
  return (
    <ConfirmDialog
      title={messages.logOutTitle}
      text={messages.logOutText(drafts)}
      action={messages.logOutAnyway}
      failure={failure}
      onConfirm={() => void leave()}
      onClose={onClose}
    />
  );
}
