import { useNavigate } from "@tanstack/react-router";
import type { Node } from "prosemirror-model";
import { type ReactElement, useState } from "react";
import { timeFormat } from "../../messages/dates.ts";
import type { Locale } from "../../messages/index.ts";
import { failureText } from "../actions/failure-text.ts";
import { notify } from "../app/notices.ts";
import { useWords } from "../app/words.tsx";
import { copyText } from "../parts/copy-text.ts";
import styles from "./editor.module.css";
import type { OpenEditor } from "./open-editor.ts";
import { documentOf, insertAtCaret, saveAsDraft } from "./orphan-actions.ts";

export type KeptListProps = {
  readonly opened: Pick<OpenEditor, "session" | "view">;
  /** Each of them once. */
  readonly texts: readonly string[];
  /** The document that the text was written for. */
  readonly origin: { readonly title: string; readonly collectionId: string | null };
};

const today = (locale: Locale): string => timeFormat(locale, "day").format(new Date());

/** Lists the writer's text that no longer has a place in the document, with what can be done with it. */
export function KeptList({ opened: { session, view }, texts, origin }: KeptListProps): ReactElement {
  const { messages, locale } = useWords();
  const saveDraft = useSaveDraft();
  const [busy, setBusy] = useState<string | Node>();
  const { ownVersion } = session;
  const copy = async (text: string): Promise<void> => {
    if (await copyText(text)) notify({ text: messages.copied });
    else notify({ text: messages.mineNotCopied, isFailure: true });
  };
  /** Only what has succeeded takes the text from the list. */
  const act = async (kept: string | Node, run: () => boolean | Promise<boolean>): Promise<void> => {
    setBusy(kept);
    try {
      if (await run()) session.dismiss(kept);
      else notify({ text: messages.statusReadOnly, isFailure: true });
    } catch (error) {
      notify({ text: failureText(error, messages), isFailure: true });
    } finally {
      setBusy(undefined);
    }
  };
  const insert = (text: string): Promise<void> => act(text, () => insertAtCaret(view, text));
  const title = origin.title.slice(0, 200);
  const save = (text: string, collectionId: string): Promise<void> =>
    act(text, () => saveDraft(collectionId, messages.keptDraftTitle(title), documentOf(text)));
  const saveVersion = (version: Node, collectionId: string): Promise<void> =>
    act(version, () =>
      saveDraft(collectionId, messages.keptVersionTitle(title || messages.untitled, today(locale)), version.toJSON()),
    );
  const { collectionId } = origin;
  const choices: readonly (readonly [label: string, run: (text: string) => Promise<void>])[] = [
    [messages.keptInsert, insert],
    ...(collectionId === null ? [] : [[messages.keptSave, (text: string) => save(text, collectionId)] as const]),
    [messages.copyText, copy],
    [messages.dismissText, async (text) => session.dismiss(text)],
  ];
  return (
    <section className={styles.kept} aria-label={messages.keptTitle}>
      {ownVersion !== null && collectionId !== null && (
        <VersionOffer isBusy={busy === ownVersion} onSave={() => void saveVersion(ownVersion, collectionId)} />
      )}
      <p role="status">{messages.keptHelp}</p>
      <ul>
        {texts.map((text) => (
          <li key={text}>
            <blockquote dir="auto">{text}</blockquote>
            <div className={styles.choices}>
              {choices.map(([label, run]) => (
                <button
                  key={label}
                  type="button"
                  className="button"
                  disabled={busy === text}
                  onClick={() => void run(text)}
                >
                  {label}
                </button>
              ))}
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

type VersionOfferProps = { readonly isBusy: boolean; readonly onSave: () => void };

/** Offers to save the document as its writer had it. */
function VersionOffer({ isBusy, onSave }: VersionOfferProps): ReactElement {
  const { messages } = useWords();
  return (
    <div className={styles.version}>
      <p role="status">{messages.keptVersion}</p>
      <button type="button" className="button" disabled={isBusy} onClick={onSave}>
        {messages.keptVersionSave}
      </button>
    </div>
  );
}

/** Returns what saves a draft and says so, with a way to it. It returns true. @throws {Failure} */
function useSaveDraft(): (...draft: Parameters<typeof saveAsDraft>) => Promise<boolean> {
  const { messages } = useWords();
  const navigate = useNavigate();
  return async (...draft) => {
    const documentId = await saveAsDraft(...draft);
    const run = (): void => void navigate({ to: "/documents/$documentId", params: { documentId } });
    notify({ text: messages.keptDraftSaved, action: { label: messages.keptOpen, run } });
    return true;
  };
}
