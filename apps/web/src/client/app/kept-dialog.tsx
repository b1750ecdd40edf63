import { Link } from "@tanstack/react-router";
import { type ReactElement, useEffect, useState } from "react";
import { ClosingDialog } from "../parts/closing-dialog.tsx";
import { ConfirmDialog } from "../parts/confirm-dialog.tsx";
import { copyText } from "../parts/copy-text.ts";
import { type KeptText, readKeptTexts } from "../writing/kept-texts.ts";
import { boot } from "./boot.ts";
import styles from "./kept-dialog.module.css";
import { notify } from "./notices.ts";
import { useWords } from "./words.tsx";

/** A long text is not drawn whole; copying takes all of it. */
const shownCharacters = 20_000;

/** The text that only this device has, also of documents that cannot be opened any more: to copy, or to delete. */
export function KeptDialog({ onClose }: { readonly onClose: () => void }): ReactElement {
  const { messages } = useWords();
  const [texts, setTexts] = useState<readonly KeptText[]>();
  const [isUnread, setUnread] = useState(false);
  const [asked, setAsked] = useState<KeptText>();
  const read = (): void => {
    void readKeptTexts(boot().app.user.id).then(setTexts, () => setUnread(true));
  };
  useEffect(read, []);
  const discard = async (kept: KeptText): Promise<void> => {
    setAsked(undefined);
    const isDeleted = await kept.discard().catch(() => false);
    if (!isDeleted) notify({ text: messages.keptInUse, isFailure: true });
    read();
  };
  return (
    <ClosingDialog title={messages.keptPlace} onClose={onClose}>
      {isUnread && <p role="alert">{messages.failed}</p>}
      {!isUnread && texts?.length === 0 && <p className="quiet">{messages.keptNothing}</p>}
      {!isUnread && texts?.some(({ text }) => text !== null) && <p className="quiet">{messages.keptPlaceHelp}</p>}
      {texts?.map((kept) => (
        <section key={kept.key} className={styles.kept} aria-label={kept.title || messages.untitled}>
          <h3 dir="auto">{kept.title || messages.untitled}</h3>
          {kept.text === null ? (
            <p>{messages.keptUnreadable}</p>
          ) : (
            <blockquote dir="auto">{shortened(kept.text)}</blockquote>
          )}
          <div className={styles.choices}>
            {kept.text !== null && <CopyButton text={kept.text} />}
            <Link
              to="/documents/$documentId"
              params={{ documentId: kept.documentId }}
              className="button"
              onClick={onClose}
            >
              {messages.keptOpen}
            </Link>
            <button type="button" className="button" onClick={() => setAsked(kept)}>
              {messages.keptDelete}
            </button>
          </div>
        </section>
      ))}
      {asked !== undefined && (
        <ConfirmDialog
          title={messages.keptDeleteTitle}
          text={messages.keptDeleteText}
          action={messages.keptDelete}
          onConfirm={() => void discard(asked)}
          onClose={() => setAsked(undefined)}
        />
      )}
    </ClosingDialog>
  );
}

const shortened = (text: string): string =>
  text.length > shownCharacters ? `${text.slice(0, shownCharacters)}…` : text;

function CopyButton({ text }: { readonly text: string }): ReactElement {
  const { messages } = useWords();
  const copy = async (): Promise<void> => {
    if (await copyText(text)) notify({ text: messages.copied });
    else notify({ text: messages.mineNotCopied, isFailure: true });
  };
  return (
    <button type="button" className="button" onClick={() => void copy()}>
      {messages.copyText}
    </button>
  );
}
