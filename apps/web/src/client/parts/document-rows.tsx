import { Link } from "@tanstack/react-router";
import type { ReactElement, ReactNode } from "react";
import type { DocumentRow } from "../api/listed-documents.ts";
import { useWords } from "../app/words.tsx";
import { When } from "./when.tsx";

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
      {rows.map(({ id, title, emoji, isDraft = false, path = [], updatedAt }) => (
        <li key={id}>
          <Link to="/documents/$documentId" params={{ documentId: id }}>
            <span className="row-title" dir="auto">
              {emoji !== null && <span aria-hidden="true">{emoji} </span>}
              {title || messages.untitled}
              {isDraft && (
                <>
                  {" "}
                  <span className="tag">{messages.draft}</span>
                </>
              )}
            </span>
            <span className="row-detail">
              {path.length > 0 && (
                <>
                  <bdi>{path.join(" / ")}</bdi> ·{" "}
                </>
              )}
              {updatedAt !== undefined && <When time={updatedAt} />}
            </span>
          </Link>
          {actions !== undefined && <div className="row-actions">{actions(id, title || messages.untitled)}</div>}
        </li>
      ))}
    </ul>
  );
}
