import { Link } from "@tanstack/react-router";
import type { ReactElement } from "react";
import { Heading } from "react-aria-components";
import dialog from "../parts/dialog.module.css";
import { Modal } from "../parts/modal.tsx";
import { ShortcutList } from "./shortcut-list.tsx";
import { useWords } from "./words.tsx";

/** All keys in front of the page. */
export function ShortcutsDialog({ onClose }: { readonly onClose: () => void }): ReactElement {
  const { messages } = useWords();
  return (
    <Modal label={messages.shortcuts} onClose={onClose}>
      <div className={dialog.form}>
        <Heading slot="title" level={2}>
          {messages.shortcuts}
        </Heading>
        <div className={dialog.scrolled} tabIndex={-1}>
          <ShortcutList />
        </div>
        <div className={dialog.buttons}>
          <Link to="/help" className="button" onClick={onClose}>
            {messages.help}
          </Link>
          <button type="button" className="button primary" onClick={onClose}>
            {messages.close}
          </button>
        </div>
      </div>
    </Modal>
  );
}
