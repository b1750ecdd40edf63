import type { EditorSession } from "@kb/live/session";
import { type ReactElement, useCallback, useSyncExternalStore } from "react";
import { notify } from "../app/notices.ts";
import { useWords } from "../app/words.tsx";
import { copyText } from "../parts/copy-text.ts";
import styles from "./editor.module.css";

const none: readonly string[] = [];

/** Lists the writer's text that no longer has a place in the document, until they have taken or dismissed it. */
export function KeptText({ session }: { readonly session: EditorSession | undefined }): ReactElement | null {
  const { messages } = useWords();
  const subscribe = useCallback(
    (listener: () => void) => session?.on("orphans", listener) ?? (() => undefined),
    [session],
  );
  const texts = useSyncExternalStore(subscribe, () => session?.orphans ?? none);
  if (session === undefined || texts.length === 0) return null;
  const copy = async (text: string): Promise<void> => {
    if (await copyText(text)) notify({ text: messages.copied });
    else notify({ text: messages.mineNotCopied, isFailure: true });
  };
  return (
    <section className={styles.kept} aria-label={messages.keptTitle}>
      <p role="status">{messages.keptHelp}</p>
      <ul>
        {[...new Set(texts)].map((text) => (
          <li key={text}>
            <blockquote dir="auto">{text}</blockquote>
            <button type="button" className="button" onClick={() => void copy(text)}>
              {messages.copyText}
            </button>{" "}
            <button type="button" className="button" onClick={() => session.dismiss(text)}>
              {messages.dismissText}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
