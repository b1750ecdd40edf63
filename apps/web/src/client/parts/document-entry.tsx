import { Link } from "@tanstack/react-router";
import type { ReactElement } from "react";
import type { DocumentRow } from "../api/listed-documents.ts";
import { useWords } from "../app/words.tsx";
import { When } from "./when.tsx";

/** The link of a document in a list, with what is known about it. */
export function DocumentEntry({ row }: { readonly row: DocumentRow }): ReactElement {
  const { messages } = useWords();
  const { id, title, emoji, isDraft = false, path = [], updatedAt } = row;
  return (
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
  );
}
