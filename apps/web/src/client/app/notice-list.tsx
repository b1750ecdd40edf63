import { type ReactElement, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { Icon } from "../parts/icon.tsx";
import { useFocusAfter } from "../parts/use-focus-after.ts";
import styles from "./notice-list.module.css";
import { dismissNotice, type Notice, noticeStore } from "./notices.ts";
import { useWords } from "./words.tsx";

const shownMs = 8_000;
const failureMs = 20_000;

/** Reports what was done, in a corner of the window. A notice stays while the pointer or the focus is on it. */
export function NoticeList(): ReactElement {
  const notices = useSyncExternalStore(noticeStore.subscribe, noticeStore.read);
  return (
    <div role="status" className={styles.list}>
      {notices.map((notice) => (
        <NoticeCard key={notice.id} notice={notice} />
      ))}
    </div>
  );
}

function NoticeCard({ notice: { id, text, isFailure, action } }: { readonly notice: Notice }): ReactElement {
  const { messages } = useWords();
  const [isHeld, setHeld] = useState(false);
  const card = useRef<HTMLElement>(null);
  useFocusAfter(card);
  useEffect(() => {
    if (isHeld) return;
    const timer = setTimeout(() => dismissNotice(id), isFailure ? failureMs : shownMs);
    return () => clearTimeout(timer);
  }, [id, isFailure, isHeld]);
  return (
    <article
      ref={card}
      className={`${styles.card} ${isFailure ? styles.failure : ""}`}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <span>{text}</span>
      {action !== undefined && (
        <button
          type="button"
          className="button"
          onClick={() => {
            dismissNotice(id);
            action.run();
          }}
        >
          {action.label}
        </button>
      )}
      <button
        type="button"
        className={styles.close}
        aria-label={messages.closeNotice}
        onClick={() => dismissNotice(id)}
      >
        <Icon name="close" />
      </button>
    </article>
  );
}
