import { type ReactElement, useLayoutEffect, useRef } from "react";
import { boot } from "../app/boot.ts";
import { takeKeysForTitle } from "../app/keys-ahead.ts";
import { useWords } from "../app/words.tsx";
import { isNamed } from "./is-named.ts";
import styles from "./writing-page.module.css";

type TitleFieldProps = {
  readonly documentId: string;
  readonly title: string;
  readonly emoji: string | null;
  readonly onChange: (title: string) => void;
  /** Called with Enter: a title is one line, however many it takes on a narrow screen. */
  readonly onEnd: () => void;
};

/**
 * The field of the title. In a document without a name it has the focus first, its text is selected, and it gets what was typed before it
 * was there. In one with a name the text has the focus.
 */
export function TitleField({ documentId, title, emoji, onChange, onEnd }: TitleFieldProps): ReactElement {
  const { messages } = useWords();
  const field = useRef<HTMLTextAreaElement>(null);
  const maxLength = boot().app.limits.maxTitleLength * 2;
  useLayoutEffect(() => {
    const ahead = takeKeysForTitle(documentId, isNamed(title));
    field.current?.setSelectionRange(maxLength, maxLength);
    if (isNamed(title)) return;
    field.current?.focus({ preventScroll: true });
    if (ahead !== "") onChange(ahead.slice(0, maxLength));
    else field.current?.select();
  }, []);
  return (
    <div className={styles.heading}>
      {emoji !== null && <span aria-hidden="true">{emoji}</span>}
      <textarea
        ref={field}
        rows={1}
        className={styles.title}
        value={title}
        dir="auto"
        aria-label={messages.titleField}
        placeholder={messages.untitled}
        maxLength={maxLength}
        onChange={(event) => onChange(event.target.value.replace(/\s*[\r\n]+\s*/g, " "))}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || event.ctrlKey || event.metaKey || event.nativeEvent.isComposing) return;
          event.preventDefault();
          onEnd();
        }}
      />
    </div>
  );
}
