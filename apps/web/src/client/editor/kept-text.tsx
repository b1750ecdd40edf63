import { useNavigate } from "@tanstack/react-router";
import { type ReactElement, useCallback, useState, useSyncExternalStore } from "react";
import { failureText } from "../actions/failure-text.ts";
import { missingModuleError } from "../app/new-release.ts";
import { notify } from "../app/notices.ts";
import { useWords } from "../app/words.tsx";
import { copyText } from "../parts/copy-text.ts";
import styles from "./editor.module.css";
import type { OpenEditor } from "./open-editor.ts";
import { part } from "./part.ts";

const none: readonly string[] = [];
const actions = part(() => import("./orphan-actions.ts"));

/** Loads what is done with text without a place, which may be needed while the service is away. */
export const loadOrphanActions = (): void => void actions.load().catch(() => undefined);

type KeptTextProps = {
  readonly opened: OpenEditor | undefined;
  /** The document that the text was written for. */
  readonly origin: { readonly title: string; readonly collectionId: string };
};

/** Lists the writer's text that no longer has a place in the document. It stays until they have taken or dismissed it. */
export function KeptText({ opened, origin }: KeptTextProps): ReactElement | null {
  const { messages } = useWords();
  const navigate = useNavigate();
  const [busy, setBusy] = useState<string>();
  const session = opened?.session;
  const subscribe = useCallback(
    (listener: () => void) => session?.on("orphans", listener) ?? (() => undefined),
    [session],
  );
  const texts = useSyncExternalStore(subscribe, () => session?.orphans ?? none);
  if (opened === undefined || session === undefined || texts.length === 0) return null;
  const copy = async (text: string): Promise<void> => {
    if (await copyText(text)) notify({ text: messages.copied });
    else notify({ text: messages.mineNotCopied, isFailure: true });
  };
  /** Only what has succeeded takes the text from the list. */
  const act = async (text: string, run: (loaded: Actions) => Promise<boolean>): Promise<void> => {
    setBusy(text);
    try {
      if (await run(await actions.load())) session.dismiss(text);
      else notify({ text: messages.statusReadOnly, isFailure: true });
    } catch (error) {
      notify({ text: failureText(missingModuleError(error), messages), isFailure: true });
    } finally {
      setBusy(undefined);
    }
  };
  const insert = (text: string): Promise<void> =>
    act(text, async ({ insertAtCaret }) => insertAtCaret(opened.view, text));
  const save = (text: string): Promise<void> =>
    act(text, async ({ saveAsDraft }) => {
      const documentId = await saveAsDraft(origin.collectionId, messages.keptDraftTitle(origin.title.slice(0, 200)), text);
      const run = (): void => void navigate({ to: "/documents/$documentId", params: { documentId } });
      notify({ text: messages.keptDraftSaved, action: { label: messages.keptOpen, run } });
      return true;
    });
  const choices = [
    [messages.keptInsert, insert],
    [messages.keptSave, save],
    [messages.copyText, copy],
    [messages.dismissText, async (text: string) => session.dismiss(text)],
  ] as const;
  return (
    <section className={styles.kept} aria-label={messages.keptTitle}>
      <p role="status">{messages.keptHelp}</p>
      <ul>
        {[...new Set(texts)].map((text) => (
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

type Actions = typeof import("./orphan-actions.ts");
