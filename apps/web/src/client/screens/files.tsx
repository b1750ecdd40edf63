import { useQuery } from "@tanstack/react-query";
import { type ReactElement, useEffect, useRef, useState } from "react";
import { failureText } from "../actions/failure-text.ts";
import { call } from "../api/call.ts";
import { useChange } from "../api/change.ts";
import { useFurtherRows } from "../api/further-rows.ts";
import { filesQuery } from "../api/queries.ts";
import { queryKeys, shownFiles } from "../api/query-keys.ts";
import { useWords } from "../app/words.tsx";
import { ConfirmDialog } from "../parts/confirm-dialog.tsx";
import { extensionOf, hasPreview, sizeText } from "../parts/file-row.ts";
import { MoreButton } from "../parts/more-button.tsx";
import { When } from "../parts/when.tsx";

type FilesProps = {
  readonly documentId: string;
  readonly isTrashed: boolean;
  /** Whether the reader may delete files. */
  readonly canDelete: boolean;
};

/** The files of a document below its text: name, size, and a preview of those that are pictures. */
export function Files({ documentId, isTrashed, canDelete }: FilesProps): ReactElement | null {
  const { messages, locale } = useWords();
  const { data } = useQuery({ ...filesQuery(documentId), enabled: !isTrashed });
  const heading = useRef<HTMLHeadingElement>(null);
  const list = useFurtherRows(
    queryKeys.files(documentId),
    data,
    ({ id }) => id,
    (offset, signal) => call("attachments.list", { documentId, limit: shownFiles, offset }, { signal }),
  );
  const [asked, setAsked] = useState<Asked>();
  const isGone = asked !== undefined && data !== undefined && list.rows.every(({ id }) => id !== asked.id);
  // The question leaves with its file, and the button that had the focus too.
  useEffect(() => {
    if (!isGone) return;
    setAsked(undefined);
    (heading.current ?? document.querySelector<HTMLElement>("h1"))?.focus();
  }, [isGone]);
  if (data === undefined || data.data.length === 0) return null;
  return (
    <section className="part">
      <h2 ref={heading} tabIndex={-1}>
        {messages.files}
      </h2>
      <ul className="rows files">
        {list.rows.map(({ id, name, size, url, isPicture, createdAt }) => (
          <li key={id}>
            <a href={url}>
              {hasPreview({ isPicture, size }) ? (
                <img className="file-picture" src={url} alt="" loading="lazy" />
              ) : (
                <span className="file-picture" aria-hidden="true">
                  {extensionOf(name)}
                </span>
              )}
              <span className="row-title" dir="auto">
                {name}
              </span>
              <span className="row-detail">
                {sizeText(size, locale)} · <When time={createdAt} />
              </span>
            </a>
            {canDelete && (
              <div className="row-actions">
                <button
                  type="button"
                  className="button"
                  aria-label={messages.deleteFileNamed(name)}
                  onClick={() => setAsked({ id, name })}
                >
                  {messages.deleteFile}
                </button>
              </div>
            )}
          </li>
        ))}
      </ul>
      <MoreButton list={list} />
      {asked !== undefined && !isGone && <DeleteFile file={asked} onClose={() => setAsked(undefined)} />}
    </section>
  );
}

type Asked = { readonly id: string; readonly name: string };

/** Asks before a file is deleted: texts that show it keep their links. */
function DeleteFile({ file, onClose }: { readonly file: Asked; readonly onClose: () => void }): ReactElement {
  const { messages } = useWords();
  const deleting = useChange("attachments.delete");
  return (
    <ConfirmDialog
      title={messages.deleteFileTitle(file.name)}
      text={messages.deleteFileText}
      action={messages.deleteFile}
      failure={deleting.error === null ? undefined : failureText(deleting.error, messages)}
      onConfirm={() => deleting.mutate({ id: file.id })}
      onClose={onClose}
    />
  );
}
