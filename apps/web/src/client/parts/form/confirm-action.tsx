import { type ReactElement, useState } from "react";
import { failureText } from "../../actions/failure-text.ts";
import { useWords } from "../../app/words.tsx";
import { ConfirmDialog } from "../confirm-dialog.tsx";

type ConfirmActionProps<Result> = {
  readonly title: string;
  readonly text: string;
  /** The words of the button that confirms. */
  readonly action: string;
  /** A word that has to be typed first. */
  readonly typed?: string;
  /** Does it; the dialog stays open and says so if it fails. */
  readonly run: () => Promise<Result>;
  /** Called with the result instead of `onClose`. */
  readonly onDone?: (result: Result) => void;
  readonly onClose: () => void;
};

/** Asks before something that cannot be taken back, does it, and closes. */
export function ConfirmAction<Result>(props: ConfirmActionProps<Result>): ReactElement {
  const { run, onDone, onClose, ...texts } = props;
  const { messages } = useWords();
  const [isRunning, setRunning] = useState(false);
  const [failure, setFailure] = useState<string>();
  const confirm = async (): Promise<void> => {
    if (isRunning) return;
    setRunning(true);
    setFailure(undefined);
    try {
      const result = await run();
      if (onDone === undefined) onClose();
      else onDone(result);
    } catch (error) {
      setFailure(failureText(error, messages));
      setRunning(false);
    }
  };
  return <ConfirmDialog {...texts} failure={failure} onConfirm={() => void confirm()} onClose={onClose} />;
}
