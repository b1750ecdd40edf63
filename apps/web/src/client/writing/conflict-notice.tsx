import { type ReactElement, useState } from "react";
import { failureText } from "../actions/failure-text.ts";
import { notify } from "../app/notices.ts";
import { useWords } from "../app/words.tsx";
import { copyText } from "../parts/copy-text.ts";
import { readSource, type Source } from "./read-source.ts";
import styles from "./writing-page.module.css";
import type { WritingSession } from "./writing-session.ts";

type ConflictNoticeProps = {
  readonly id: string;
  readonly session: WritingSession;
  readonly source: Source;
  readonly onReload: (source: Source) => void;
};

/** Says that the document has changed elsewhere, and lets the writer choose. Nothing is lost by either choice. */
export function ConflictNotice({ id, session, source, onReload }: ConflictNoticeProps): ReactElement {
  const { messages } = useWords();
  const [latest, setLatest] = useState<Source>();
  const reported = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      notify({ text: failureText(error, messages), isFailure: true });
    }
  };
  const show = () => reported(async () => setLatest(await readSource(id)));
  const keepMine = () =>
    reported(async () => {
      const { stored } = await readSource(id);
      await session.replace(stored.revision);
    });
  const takeTheirs = () =>
    reported(async () => {
      // The text of this device can be pasted again; without the clipboard, it stays where it is.
      if (!(await copyText(session.current.text))) return notify({ text: messages.mineNotCopied, isFailure: true });
      await source.drafts.drop();
      const next = await readSource(id);
      session.discard();
      onReload({ ...next, draft: undefined });
      notify({ text: messages.mineCopied });
    });
  return (
    <section className={styles.conflict} aria-label={messages.statusConflict}>
      <p role="alert">{messages.conflict}</p>
      <div className={styles.choices}>
        <button type="button" className="button primary" onClick={() => void keepMine()}>
          {messages.keepMine}
        </button>
        <button type="button" className="button" onClick={() => void takeTheirs()}>
          {messages.takeTheirs}
        </button>
        {latest === undefined && (
          <button type="button" className="button" onClick={() => void show()}>
            {messages.showTheirs}
          </button>
        )}
      </div>
      {latest !== undefined && (
        <label className={styles.theirs}>
          {latest.lastModifiedBy === undefined ? messages.theirText : messages.textOf(latest.lastModifiedBy)}
          <textarea readOnly dir="auto" value={latest.stored.text} rows={12} />
        </label>
      )}
    </section>
  );
}
