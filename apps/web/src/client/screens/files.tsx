import { useQuery } from "@tanstack/react-query";
import type { ReactElement } from "react";
import { filesQuery } from "../api/queries.ts";
import { useWords } from "../app/words.tsx";
import { extensionOf, hasPreview, sizeText } from "../parts/file-row.ts";
import { When } from "../parts/when.tsx";

type FilesProps = { readonly documentId: string; readonly isTrashed: boolean };

/** The files of a document below its text: name, size, and a preview of those that are pictures. */
export function Files({ documentId, isTrashed }: FilesProps): ReactElement | null {
  const { messages, locale } = useWords();
  const { data } = useQuery({ ...filesQuery(documentId), enabled: !isTrashed });
  if (data === undefined || data.data.length === 0) return null;
  const hidden = data.total - data.data.length;
  return (
    <section className="part">
      <h2>{messages.files}</h2>
      <ul className="rows files">
        {data.data.map(({ id, name, size, url, isPicture, createdAt }) => (
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
          </li>
        ))}
      </ul>
      {hidden > 0 && <p className="quiet">{messages.moreFiles(hidden)}</p>}
    </section>
  );
}
