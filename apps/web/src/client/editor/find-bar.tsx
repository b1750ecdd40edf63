import type { EditorView } from "prosemirror-view";
import { type ReactElement, useLayoutEffect, useRef, useState } from "react";
import { takeTypedAhead } from "../app/typed-ahead.tsx";
import { useWords } from "../app/words.tsx";
import styles from "./find-bar.module.css";
import { type FoundText, useFound } from "./use-found.ts";

type FindBarProps = {
  readonly view: EditorView;
  /** Counts how often the writer asked for the bar: each time its field has the focus again. */
  readonly asked: number;
  readonly onClose: () => void;
};

/** Looks for a text in the document, and replaces it. Escape leads back to the text, at the passage that was found. */
export function FindBar({ view, asked, onClose }: FindBarProps): ReactElement {
  const { messages } = useWords();
  const [wanted, setWanted] = useState(() => selectedText(view));
  const [isExact, setExact] = useState(false);
  const [said, setSaid] = useState("");
  const found = useFound(view, wanted, isExact);
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    if (asked === 0) return;
    const ahead = takeTypedAhead();
    if (ahead !== "") setWanted(ahead);
    field.current?.focus();
    // The next letter follows those that were typed while this was loaded.
    if (ahead === "") field.current?.select();
  }, [asked]);
  const { matches, index } = found;
  const count = matches.length === 0 ? messages.foundNone : messages.foundOf(index + 1, matches.length);
  const close = (): void => {
    onClose();
    view.focus();
  };
  return (
    <search
      className={styles.bar}
      aria-label={messages.findTitle}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || event.nativeEvent.isComposing) return;
        event.stopPropagation();
        close();
      }}
    >
      <form
        className={styles.row}
        onSubmit={(event) => {
          event.preventDefault();
          found.go(1);
        }}
      >
        <input
          ref={field}
          value={wanted}
          dir="auto"
          maxLength={200}
          aria-label={messages.findText}
          placeholder={messages.findText}
          onChange={({ target }) => {
            setWanted(target.value);
            setSaid("");
          }}
          onKeyDown={(event) => {
            if (event.key !== "Enter" || !event.shiftKey || event.nativeEvent.isComposing) return;
            event.preventDefault();
            found.go(-1);
          }}
        />
        <span role="status" className={styles.count}>
          {said || (wanted === "" ? "" : count)}
        </span>
        <button type="button" className="button" onClick={() => found.go(-1)}>
          {messages.findPrevious}
        </button>
        <button type="submit" className="button">
          {messages.findNext}
        </button>
        <label>
          <input type="checkbox" checked={isExact} onChange={({ target }) => setExact(target.checked)} />{" "}
          {messages.findExact}
        </label>
      </form>
      <ReplaceForm found={found} onSaid={setSaid} onClose={close} />
    </search>
  );
}

type ReplaceFormProps = {
  readonly found: FoundText;
  readonly onSaid: (said: string) => void;
  readonly onClose: () => void;
};

function ReplaceForm({ found, onSaid, onClose }: ReplaceFormProps): ReactElement {
  const { messages } = useWords();
  const [text, setText] = useState("");
  return (
    <form
      className={styles.row}
      onSubmit={(event) => {
        event.preventDefault();
        found.replace(text);
      }}
    >
      <input
        value={text}
        dir="auto"
        maxLength={1_000}
        aria-label={messages.replaceWith}
        placeholder={messages.replaceWith}
        onChange={({ target }) => setText(target.value)}
      />
      <button type="submit" className="button">
        {messages.replace}
      </button>
      <button type="button" className="button" onClick={() => onSaid(messages.replaced(found.replaceAll(text)))}>
        {messages.replaceAll}
      </button>
      <button type="button" className="button" onClick={onClose}>
        {messages.close}
      </button>
    </form>
  );
}

/** What is selected in one line is looked for first. */
function selectedText({ state: { doc, selection } }: EditorView): string {
  const { from, to, $from, $to } = selection;
  return $from.sameParent($to) && to - from <= 200 ? doc.textBetween(from, to) : "";
}
