import { useNavigate } from "@tanstack/react-router";
import { type ReactElement, useState } from "react";
import { failureText } from "../actions/failure-text.ts";
import { notify } from "../app/notices.ts";
import { useWords } from "../app/words.tsx";
import { copyText } from "../parts/copy-text.ts";
import styles from "./editor.module.css";
import type { OpenEditor } from "./open-editor.ts";
import { insertAtCaret, saveAsDraft } from "./orphan-actions.ts";

export type KeptListProps = {
  readonly opened: Pick<OpenEditor, "session" | "view">;
  /** Each of them once. */
  readonly texts: readonly string[];
  /** The document that the text was written for. */
  readonly origin: { readonly title: string; readonly collectionId: string | null };
};

/** Lists the writer's text that no longer has a place in the document, with what can be done with it. */
export function KeptList({ opened: { session, view }, texts, origin }: KeptListProps): ReactElement {
  const { messages } = useWords();
  const navigate = useNavigate();
  const [busy, setBusy] = useState<string>();
  const copy = async (text: string): Promise<void> => {
    if (await copyText(text)) notify({ text: messages.copied });
    else notify({ text: messages.mineNotCopied, isFailure: true });
  };
  /** Only what has succeeded takes the text from the list. */
  const act = async (text: string, run: () => boolean | Promise<boolean>): Promise<void> => {
    setBusy(text);
    try {
      if (await run()) session.dismiss(text);
      else notify({ text: messages.statusReadOnly, isFailure: true });
    } catch (error) {
      notify({ text: failureText(error, messages), isFailure: true });
    } finally {
      setBusy(undefined);
    }
  };
  const insert = (text: string): Promise<void> => act(text, () => insertAtCaret(view, text));
  const save = (text: string, collectionId: string): Promise<void> =>
    act(text, async () => {
      const documentId = await saveAsDraft(collectionId, messages.keptDraftTitle(origin.title.slice(0, 200)), text);
      const run = (): void => void navigate({ to: "/documents/$documentId", params: { documentId } });
      notify({ text: messages.keptDraftSaved, action: { label: messages.keptOpen, run } });
      return true;
    });
  const { collectionId } = origin;
  const choices: readonly (readonly [label: string, run: (text: string) => Promise<void>])[] = [
    [messages.keptInsert, insert],
    ...(collectionId === null ? [] : [[messages.keptSave, (text: string) => save(text, collectionId)] as const]),
    [messages.copyText, copy],
    [messages.dismissText, async (text) => session.dismiss(text)],
  ];
  return (
    <section className={styles.kept} aria-label={messages.keptTitle}>
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
