import { Link } from "@tanstack/react-router";
import type { ReactElement } from "react";
import { ClosingDialog } from "../parts/closing-dialog.tsx";
import dialog from "../parts/dialog.module.css";
import { ShortcutList } from "./shortcut-list.tsx";
import { useWords } from "./words.tsx";

/** All keys in front of the page. */
export function ShortcutsDialog({ onClose }: { readonly onClose: () => void }): ReactElement {
  const { messages } = useWords();
  return (
    <ClosingDialog
      title={messages.shortcuts}
      onClose={onClose}
      link={
        <Link to="/help" className="button" onClick={onClose}>
          {messages.help}
        </Link>
      }
    >
      <div className={dialog.scrolled} tabIndex={-1}>
        <ShortcutList />
      </div>
    </ClosingDialog>
  );
}
