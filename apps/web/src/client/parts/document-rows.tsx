import type { ReactElement, ReactNode } from "react";
import type { DocumentRow } from "../api/listed-documents.ts";
import { DocumentEntry } from "./document-entry.tsx";

type DocumentRowsProps<Row extends DocumentRow> = {
  readonly rows: readonly Row[];
  /** Stands beside each document. */
  readonly actions?: ((row: Row) => ReactNode) | undefined;
};

/** A list of documents, each a link to its page. */
export function DocumentRows<Row extends DocumentRow>({ rows, actions }: DocumentRowsProps<Row>): ReactElement {
  return (
    <ul className="rows">
      {rows.map((row) => (
        <li key={row.id}>
          <DocumentEntry row={row} />
          {actions !== undefined && <div className="row-actions">{actions(row)}</div>}
        </li>
      ))}
    </ul>
  );
}
