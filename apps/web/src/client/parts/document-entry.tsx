import { Link } from "@tanstack/react-router";
import type { ReactElement, ReactNode } from "react";
import type { DocumentRow } from "../api/listed-documents.ts";
import { useWords } from "../app/words.tsx";
import { When } from "./when.tsx";

type DocumentEntryProps = {
  readonly row: DocumentRow;
  /** Text below the title, such as the passage that was found. */
  readonly detail?: ReactNode;
};

/** The link of a document in a list, with what is known about it. */
export function DocumentEntry({ row, detail }: DocumentEntryProps): ReactElement {
  const { messages } = useWords();
  const { id, title, emoji, isDraft = false, path = [], updatedAt, timeForm, left } = row;
  return (
    <Link to="/documents/$documentId" params={{ documentId: id }}>
      <span className="row-title">
        <bdi>
          {emoji !== null && <span aria-hidden="true">{emoji} </span>}
          {title || messages.untitled}
        </bdi>
        {isDraft && (
          <>
            {" "}
            <span className="tag">{messages.draft}</span>
          </>
        )}
      </span>
      <span className="row-detail">
        {detail !== undefined && <span dir="auto">{detail}</span>}
        {path.length > 0 && (
          <>
            <bdi>{path.join(" / ")}</bdi> ·{" "}
          </>
        )}
        {left !== undefined ? (
          <>
            {left.for === "trash" ? messages.movedToTrash : messages.movedToArchive} <When time={left.time} />
            {left.by !== undefined && (
              <>
                {" · "}
                <bdi>{left.by}</bdi>
              </>
            )}
          </>
        ) : (
          updatedAt !== undefined && <When time={updatedAt} form={timeForm} />
        )}
      </span>
    </Link>
  );
}
