import { useQueryClient } from "@tanstack/react-query";
import { type ReactElement, useState } from "react";
import { call } from "../api/call.ts";
import { boot } from "../app/boot.ts";
import { useWords } from "../app/words.tsx";
import dialog from "../parts/dialog.module.css";
import type { DialogProps } from "./dialog-props.ts";
import { FormDialog } from "./form-dialog.tsx";

/** Asks for a document's title. */
export function RenameDialog({ target, onClose }: DialogProps): ReactElement {
  const { messages } = useWords();
  const queries = useQueryClient();
  const [title, setTitle] = useState(target.title);
  const save = async (): Promise<void> => {
    await call("documents.update", { id: target.id, title, return: "minimal" });
    await queries.invalidateQueries();
  };
  return (
    <FormDialog title={messages.renameTitle} submitLabel={messages.save} onSubmit={save} onClose={onClose}>
      <label className={dialog.field}>
        {messages.titleField}
        <input
          value={title}
          dir="auto"
          maxLength={boot().app.limits.maxTitleLength * 2}
          onChange={(event) => setTitle(event.target.value)}
          onFocus={(event) => event.target.select()}
          // biome-ignore lint/a11y/noAutofocus: the dialog asks for this one thing.
          autoFocus
        />
      </label>
    </FormDialog>
  );
}
