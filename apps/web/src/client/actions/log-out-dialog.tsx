import type { ReactElement } from "react";
import { boot } from "../app/boot.ts";
import { notify } from "../app/notices.ts";
import { useWords } from "../app/words.tsx";
import { ConfirmDialog } from "../parts/confirm-dialog.tsx";
import { dropDrafts } from "../writing/draft-store.ts";
import { failureText } from "./failure-text.ts";
import { goToLogOut } from "./log-out.ts";

type LogOutDialogProps = {
  /** The number of documents with text that the service does not have. */
  readonly drafts: number;
  readonly onClose: () => void;
};

/** Asks whether to delete what is not sent yet: after the log-out, somebody else may use this device. */
export function LogOutDialog({ drafts, onClose }: LogOutDialogProps): ReactElement {
  const { messages } = useWords();
  const leave = async (): Promise<void> => {
    await dropDrafts(boot().app.user.id);
    goToLogOut();
  };
  return (
    <ConfirmDialog
      title={messages.logOutTitle}
      text={messages.logOutText(drafts)}
      action={messages.logOutAnyway}
      onConfirm={() => void leave().catch((error) => notify({ text: failureText(error, messages), isFailure: true }))}
      onClose={onClose}
    />
  );
}
