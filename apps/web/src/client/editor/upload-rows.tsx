import { type ReactElement, useSyncExternalStore } from "react";
import { useWords } from "../app/words.tsx";
import { LeaveGuard } from "./leave-guard.tsx";
import type { UploadStore } from "./upload-store.ts";
import styles from "./uploads.module.css";

type UploadRowsProps = { readonly uploads: UploadStore; readonly onClose: () => void };

/** Lists the files that are not in the text yet, with what can be done about each, and asks before the page is left without them. */
export function UploadRows({ uploads }: UploadRowsProps): ReactElement {
  const { messages } = useWords();
  const list = useSyncExternalStore(uploads.subscribe, () => uploads.list);
  return (
    <>
      <LeaveGuard uploads={uploads} />
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
    </>
  );
}
