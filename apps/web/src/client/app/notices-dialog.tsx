import type { ReactElement } from "react";
import { timeFormat } from "../../messages/dates.ts";
import { ClosingDialog } from "../parts/closing-dialog.tsx";
import { lastNotices } from "./notices.ts";
import { useWords } from "./words.tsx";

/** The last messages in front of the page: those in the corner leave by themselves. */
export function NoticesDialog({ onClose }: { readonly onClose: () => void }): ReactElement {
  const { messages, locale } = useWords();
  const notices = lastNotices();
  return (
    <ClosingDialog title={messages.lastNotices} onClose={onClose}>
      {notices.length === 0 ? (
        <p className="quiet">{messages.noNotices}</p>
      ) : (
        <ul className="rows">
          {notices.map(({ id, text, time }) => (
            <li key={id} className="row-text">
              {text}
              <time className="row-detail" dateTime={time}>
                {timeFormat(locale, "exact").format(new Date(time))}
              </time>
            </li>
          ))}
        </ul>
      )}
    </ClosingDialog>
  );
}
