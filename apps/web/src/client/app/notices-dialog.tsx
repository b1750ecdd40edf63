import type { ReactElement } from "react";
import { Heading } from "react-aria-components";
import { timeFormat } from "../../messages/dates.ts";
import dialog from "../parts/dialog.module.css";
import { Modal } from "../parts/modal.tsx";
import { lastNotices } from "./notices.ts";
import { useWords } from "./words.tsx";

/** The last messages in front of the page: those in the corner leave by themselves. */
export function NoticesDialog({ onClose }: { readonly onClose: () => void }): ReactElement {
  const { messages, locale } = useWords();
  const notices = lastNotices();
  return (
    <Modal label={messages.lastNotices} onClose={onClose}>
      <div className={dialog.form}>
        <Heading slot="title" level={2}>
          {messages.lastNotices}
        </Heading>
        {notices.length === 0 ? (
          <p className="quiet">{messages.noNotices}</p>
        ) : (
          <ul className="rows">
            {notices.map(({ id, text, time }) => (
              <li key={id} className="row-text">
                {text}
                <time className="row-detail" dateTime={time}>
                  {timeFormat(locale).exact.format(new Date(time))}
                </time>
              </li>
            ))}
          </ul>
        )}
        <div className={dialog.buttons}>
          <button type="button" className="button primary" onClick={onClose}>
            {messages.close}
          </button>
        </div>
      </div>
    </Modal>
  );
}
