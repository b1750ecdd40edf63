import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactElement, useState } from "react";
import { FormDialog } from "../actions/form-dialog.tsx";
import { call } from "../api/call.ts";
import type { OutputOf } from "../api/contract.ts";
import { collectionQuery } from "../api/queries.ts";
import { useWords } from "../app/words.tsx";
import dialog from "../parts/dialog.module.css";

const usualColor = "#0b6b5f";

type EditCollectionProps = { readonly id: string; readonly onClose: () => void };

/** Asks for the name and the look of a collection, once they are known. */
export function EditCollection({ id, onClose }: EditCollectionProps): ReactElement | null {
  const { data } = useQuery(collectionQuery(id));
  return data === undefined ? null : <EditForm collection={data} onClose={onClose} />;
}

type EditFormProps = { readonly collection: OutputOf<"collections.get">; readonly onClose: () => void };

function EditForm({ collection, onClose }: EditFormProps): ReactElement {
  const { messages } = useWords();
  const queries = useQueryClient();
  const [opened] = useState(collection);
  const [name, setName] = useState(opened.name);
  const [icon, setIcon] = useState(opened.icon ?? "");
  const [description, setDescription] = useState(opened.description ?? "");
  const [color, setColor] = useState(opened.color);
  const textOrNull = (text: string): string | null => (text.trim() === "" ? null : text.trim());
  const save = async (): Promise<void> => {
    // What was left alone is not sent: somebody else may have changed it meanwhile.
    await call("collections.update", {
      id: opened.id,
      ...(name !== opened.name && { name: name.trim() }),
      ...(icon !== (opened.icon ?? "") && { icon: textOrNull(icon) }),
      ...(description !== (opened.description ?? "") && { description: textOrNull(description) }),
      ...(color !== opened.color && { color }),
    });
    await queries.invalidateQueries();
  };
  return (
    <FormDialog title={messages.editCollectionTitle} submitLabel={messages.save} onSubmit={save} onClose={onClose}>
      <label className={dialog.field}>
        {messages.collectionName}
        <input
          value={name}
          dir="auto"
          maxLength={255}
          required
          // biome-ignore lint/a11y/noAutofocus: a dialog moves the focus to its first field (APG).
          autoFocus
          onChange={(event) => setName(event.target.value)}
        />
      </label>
      <label className={dialog.field}>
        {messages.collectionDescription}
        <textarea
          value={description}
          dir="auto"
          rows={3}
          maxLength={10_000}
          onChange={(event) => setDescription(event.target.value)}
        />
      </label>
      <label className={dialog.field}>
        {messages.collectionIcon}
        <input value={icon} maxLength={64} onChange={(event) => setIcon(event.target.value)} />
      </label>
      <div className={dialog.pair}>
        <label className="check">
          <input
            type="checkbox"
            checked={color !== null}
            onChange={(event) => setColor(event.target.checked ? usualColor : null)}
          />
          {messages.collectionColor}
        </label>
        {color !== null && (
          <input
            type="color"
            aria-label={messages.collectionColor}
            value={color}
            onChange={(event) => setColor(event.target.value)}
          />
        )}
      </div>
    </FormDialog>
  );
}
