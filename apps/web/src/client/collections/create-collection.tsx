import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type ReactElement, useState } from "react";
import { FormDialog } from "../actions/form-dialog.tsx";
import { call } from "../api/call.ts";
import { useWords } from "../app/words.tsx";
import dialog from "../parts/dialog.module.css";

/** Asks for the name of a new collection, creates it and goes there. Its menu has everything else. */
export function CreateCollection({ onClose }: { readonly onClose: () => void }): ReactElement {
  const { messages } = useWords();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [name, setName] = useState("");
  const save = async (): Promise<void> => {
    const { id } = await call("collections.create", { name: name.trim() });
    await queries.invalidateQueries();
    await navigate({ to: "/collections/$collectionId", params: { collectionId: id } });
  };
  return (
    <FormDialog title={messages.newCollection} submitLabel={messages.save} onSubmit={save} onClose={onClose}>
      <label className={dialog.field}>
        {messages.collectionName}
        <input
          value={name}
          dir="auto"
          maxLength={255}
          required
          // biome-ignore lint/a11y/noAutofocus: the dialog asks for this one thing.
          autoFocus
          onChange={(event) => setName(event.target.value)}
        />
      </label>
    </FormDialog>
  );
}
