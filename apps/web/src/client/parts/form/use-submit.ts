import { type FormEvent, useRef, useState } from "react";
import type { Messages } from "../../../messages/index.ts";
import { failureText } from "../../actions/failure-text.ts";
import { Failure } from "../../api/failure.ts";
import { settingsWords } from "../../app/settings-words.ts";
import { useWords } from "../../app/words.tsx";

/** What became of a form's last attempt: a sentence about the whole, and one for each field that was refused. */
export type Submission = {
  readonly isSaving: boolean;
  readonly failure: string | undefined;
  readonly wrong: ReadonlyMap<string, string>;
  readonly submit: (event: FormEvent) => void;
};

/**
 * Returns the state of a form that `save` sends. One attempt runs at a time. The names of the fields are the paths of the
 * operation's input, so a refusal stands beside its field; what no field of `names` shows stands below the form, worded by `wordFailure`.
 */
export function useSubmit(
  names: readonly string[],
  save: () => Promise<unknown>,
  wordFailure: (error: unknown, messages: Messages) => string = failureText,
): Submission {
  const { messages } = useWords();
  const [isSaving, setSaving] = useState(false);
  const [failure, setFailure] = useState<string>();
  const [wrong, setWrong] = useState<ReadonlyMap<string, string>>(new Map());
  const isRunning = useRef(false);
  const run = async (): Promise<void> => {
    isRunning.current = true;
    setSaving(true);
    setFailure(undefined);
    setWrong(new Map());
    try {
      await save();
    } catch (error) {
      const fields = wrongFields(error, names);
      setWrong(fields);
      if (fields.size === 0) setFailure(wordFailure(error, messages));
    } finally {
      isRunning.current = false;
      setSaving(false);
    }
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!isRunning.current) void run();
  };
  return { isSaving, failure, wrong, submit };
}

/** Returns the sentence for each field that the service refused. */
function wrongFields(error: unknown, names: readonly string[]): ReadonlyMap<string, string> {
  if (!(error instanceof Failure)) return new Map();
  const shown = error.details.flatMap(({ path, message }) => {
    const name = names.find((each) => path === each || path.startsWith(`${each}.`));
    return name === undefined ? [] : [[name, settingsWords.frame.fieldWrong(message)] as const];
  });
  return new Map(shown);
}
