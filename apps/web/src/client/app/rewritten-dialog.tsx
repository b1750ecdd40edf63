import type { ReactElement } from "react";
import { ClosingDialog } from "../parts/closing-dialog.tsx";
import { Diff } from "../parts/diff.tsx";
import { useWords } from "./words.tsx";

type RewrittenDialogProps = {
  /** The hunks of a unified diff from the Markdown as it was written to what the service has. */
  readonly diff: string;
  readonly onClose: () => void;
};

/** The lines of Markdown that the service has in another form than they were written in. */
export function RewrittenDialog({ diff, onClose }: RewrittenDialogProps): ReactElement {
  const { messages } = useWords();
  return (
    <ClosingDialog title={messages.rewrittenTitle} onClose={onClose}>
      <p>{messages.rewrittenHelp}</p>
      <Diff diff={diff} label={messages.rewrittenTitle} />
    </ClosingDialog>
  );
}
