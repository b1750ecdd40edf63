import { createContext, type ReactElement, type ReactNode, useContext, useEffect, useRef } from "react";
import { useWords } from "../../app/words.tsx";
import styles from "./form.module.css";
import type { Submission } from "./use-submit.ts";

const WrongContext = createContext<ReadonlyMap<string, string>>(new Map());

/** Returns why the field of this name was refused; undefined if it was not. */
export const useWrong = (name: string): string | undefined => useContext(WrongContext).get(name);

type FormProps = {
  readonly submission: Submission;
  readonly submitLabel: string;
  readonly isAlarm?: boolean;
  /** Leaves without saving; without it the form has no such button. */
  readonly onCancel?: () => void;
  readonly children: ReactNode;
};

/** A form: its fields, what did not work, and its buttons. The first field that was refused gets the focus. */
export function Form({ submission, submitLabel, isAlarm = false, onCancel, children }: FormProps): ReactElement {
  const { messages } = useWords();
  const { wrong, failure, isSaving, submit } = submission;
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (wrong.size > 0) form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [wrong]);
  return (
    <form ref={form} className={styles.form} onSubmit={submit}>
      <WrongContext value={wrong}>{children}</WrongContext>
      {failure !== undefined && (
        <p className={styles.failure} role="alert">
          {failure}
        </p>
      )}
      <div className="buttons">
        <button type="submit" className={isAlarm ? "button alarm" : "button primary"} aria-busy={isSaving}>
          {submitLabel}
        </button>
        {onCancel !== undefined && (
          <button type="button" className="button" onClick={onCancel}>
            {messages.cancel}
          </button>
        )}
      </div>
    </form>
  );
}
