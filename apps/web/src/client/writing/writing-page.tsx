import { useNavigate } from "@tanstack/react-router";
import { type ReactElement, useEffect, useEffectEvent, useId, useRef, useState } from "react";
import type { View } from "../api/contract.ts";
import { boot } from "../app/boot.ts";
import { takeKeysForText } from "../app/keys-ahead.ts";
import { ariaKeys } from "../app/shortcuts.ts";
import { useShortcut } from "../app/use-shortcut.ts";
import { useWords } from "../app/words.tsx";
import { ConflictNotice } from "./conflict-notice.tsx";
import { isNamed } from "./is-named.ts";
import type { Source } from "./read-source.ts";
import { TitleField } from "./title-field.tsx";
import { statusText, useWriting } from "./use-writing.ts";
import styles from "./writing-page.module.css";

type WritingPageProps = {
  readonly view: View;
  readonly source: Source;
  /** Begins again with what was read anew. */
  readonly onReload: (source: Source) => void;
};

/** A page with a field for the title and one for the Markdown. It saves by itself, and says in words what is saved. */
export function WritingPage({ view, source, onReload }: WritingPageProps): ReactElement {
  const { messages } = useWords();
  const navigate = useNavigate();
  const { id } = view.document;
  const { session, status } = useWriting(id, source);
  const [written, setWritten] = useState({ ...(source.draft ?? source.stored) });
  const textId = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const change = (fields: { title?: string; text?: string }): void => {
    setWritten((known) => ({ ...known, ...fields }));
    session.change(fields);
  };
  const done = async (search: { edit?: true }): Promise<void> => {
    if (await session.save()) await navigate({ to: "/documents/$documentId", params: { documentId: id }, search });
  };
  useShortcut("save", () => void session.save());
  useShortcut("done", () => void done({}));
  const takeAhead = useEffectEvent((): void => {
    const ahead = takeKeysForText(id);
    if (ahead === undefined && !isNamed(written.title)) return;
    field.current?.focus({ preventScroll: true });
    if (ahead) change({ text: `${written.text}${ahead}` });
    else field.current?.setSelectionRange(0, 0);
  });
  useEffect(() => takeAhead(), []);
  useEffect(() => {
    document.title = `${written.title || messages.untitled} · ${boot().app.team.name}`;
  }, [written.title, messages]);
  return (
    <>
      <main id="main" className="main" tabIndex={-1}>
        <div className={view.document.fullWidth ? "column wide" : "column"}>
          <h1 className="visually-hidden">{messages.writing(written.title || messages.untitled)}</h1>
          <div className={styles.bar}>
            <p role="status" className={styles.status} data-kind={status.kind}>
              {statusText(status, messages)}
            </p>
            <span className={styles.buttons}>
              <button type="button" className="button" onClick={() => void done({ edit: true })}>
                {messages.richEditor}
              </button>
              <button
                type="button"
                className="button primary"
                aria-keyshortcuts={ariaKeys("done")}
                onClick={() => void done({})}
              >
                {messages.done}
              </button>
            </span>
          </div>
          {status.kind === "conflict" && (
            <ConflictNotice id={id} session={session} source={source} onReload={onReload} />
          )}
          <TitleField
            documentId={id}
            title={written.title}
            emoji={view.document.emoji}
            onChange={(title) => change({ title })}
            onEnd={() => field.current?.focus()}
          />
          <label htmlFor={textId} className={styles.label}>
            {messages.markdownField}
          </label>
          <textarea
            ref={field}
            id={textId}
            className={styles.text}
            value={written.text}
            dir="auto"
            spellCheck
            maxLength={boot().app.limits.maxMarkdownLength}
            onChange={(event) => change({ text: event.target.value })}
          />
          <p className={styles.help}>{messages.writingHelp}</p>
        </div>
      </main>
      <aside className="aside" />
    </>
  );
}
