import { type ReactElement, useSyncExternalStore } from "react";
import { useWords } from "../app/words.tsx";
import type { UploadStore } from "./upload-store.ts";
import styles from "./uploads.module.css";

/** Lists the files that are not in the text yet, with what can be done about each. */
export function UploadList({ uploads }: { readonly uploads: UploadStore }): ReactElement | null {
  const { messages } = useWords();
  const list = useSyncExternalStore(uploads.subscribe, () => uploads.list);
  if (list.length === 0) return null;
  return (
    <ul className={styles.list} aria-label={messages.uploads}>
      {list.map(({ id, text, progress, isFailed, retry, remove }) => (
        <li key={id}>
          <span role={isFailed ? "alert" : undefined} className={isFailed ? styles.problem : undefined} dir="auto">
            {text}
          </span>
          {progress !== undefined && <progress value={progress} aria-label={text} />}
          {retry !== undefined && (
            <button type="button" className="button" onClick={retry}>
              {messages.tryAgain}
            </button>
          )}
          <button type="button" className="button" onClick={remove}>
            {messages.uploadRemove}
          </button>
        </li>
      ))}
    </ul>
  );
}
