import { useQuery } from "@tanstack/react-query";
import { type ReactElement, useState } from "react";
import { bootQuery } from "../api/queries.ts";
import { useWords } from "../app/words.tsx";
import { ModalDialog } from "../parts/modal-dialog.tsx";

type ChooseCollectionProps = {
  readonly onChoose: (collectionId: string) => void;
  readonly onClose: () => void;
};

/** Asks for the collection of a document whose own is gone: one in which the reader may create documents. */
export function ChooseCollection({ onChoose, onClose }: ChooseCollectionProps): ReactElement {
  const { messages } = useWords();
  const { data } = useQuery(bootQuery);
  const possible = data.collections.filter(
    ({ archivedAt, abilities }) => archivedAt === null && abilities.createDocument,
  );
  const [chosen, setChosen] = useState(possible[0]?.id);
  return (
    <ModalDialog title={messages.chooseCollection} onClose={onClose}>
      <p>{possible.length === 0 ? messages.noWritableCollection : messages.chooseCollectionText}</p>
      {possible.length > 0 && (
        <label>
          {messages.collection}
          <select value={chosen} onChange={(event) => setChosen(event.target.value)}>
            {possible.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </label>
      )}
      <div className="buttons">
        <button type="button" className="button" onClick={onClose}>
          {messages.cancel}
        </button>
        {chosen !== undefined && (
          <button type="button" className="button primary" onClick={() => onChoose(chosen)}>
            {messages.restore}
          </button>
        )}
      </div>
    </ModalDialog>
  );
}
