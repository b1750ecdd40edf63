import { type ReactElement, useId, useRef, useState } from "react";
import { settingsWords } from "../../app/settings-words.ts";
import { copyText } from "../copy-text.ts";
import { copyKeys } from "../keys.tsx";
import styles from "./form.module.css";

type CopyFieldProps = {
  readonly label: string;
  readonly text: string;
  /** Called once the text is on the clipboard. */
  readonly onCopied?: () => void;
};

type State = "idle" | "copied" | "refused";

/** Text to copy: it is shown, selected as a whole, and goes to the clipboard by a button. */
export function CopyField({ label, text, onCopied }: CopyFieldProps): ReactElement {
  const { frame } = settingsWords;
  const id = useId();
  const output = useRef<HTMLOutputElement>(null);
  const [state, setState] = useState<State>("idle");
  const copy = async (): Promise<void> => {
    if (await copyText(text)) {
      setState("copied");
      onCopied?.();
    } else {
      if (output.current !== null) getSelection()?.selectAllChildren(output.current);
      setState("refused");
    }
  };
  return (
    <div className={styles.field}>
      <span id={id} className={styles.label}>
        {label}
      </span>
      <div className={styles.copy}>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: text that scrolls is reached by the keyboard. */}
        <output ref={output} aria-labelledby={id} dir="ltr" tabIndex={0}>
          {text}
        </output>
        <button type="button" className="button" aria-label={frame.copyOf(label)} onClick={() => void copy()}>
          {state === "copied" ? frame.copied : frame.copy}
        </button>
      </div>
      <span role="status" className={state === "refused" ? styles.help : "visually-hidden"}>
        {state === "copied" && frame.copied}
        {state === "refused" && frame.copyByHand(copyKeys)}
      </span>
    </div>
  );
}
