import type { ReactElement, ReactNode } from "react";
import type { DocumentRow } from "../api/listed-documents.ts";
import { useWords } from "../app/words.tsx";
import { DocumentEntry } from "./document-entry.tsx";

type DocumentRowsProps = {
  readonly rows: readonly DocumentRow[];
  /** Stands beside each document. */
  readonly actions?: ((id: string, title: string) => ReactNode) | undefined;
};

/** A list of documents, each a link to its page. */
export function DocumentRows({ rows, actions }: DocumentRowsProps): ReactElement {
  const { messages } = useWords();
  return (
    <ul className="rows">
      {rows.map((row) => (
        <li key={row.id}>
          <DocumentEntry row={row} />
          {actions !== undefined && (
            <div className="row-actions">{actions(row.id, row.title || messages.untitled)}</div>
          )}
        </li>
      ))}
    </ul>
  );
}
