import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactElement } from "react";
import { failureText } from "../../actions/failure-text.ts";
import { call } from "../../api/call.ts";
import { settingsWords } from "../../app/settings-words.ts";
import { useWords } from "../../app/words.tsx";
import { When } from "../../parts/when.tsx";

const pageSize = 25;

type ChannelPreviewProps = {
  /** The channel whose settings are being changed; undefined for a new one. */
  readonly id: string | undefined;
  readonly collectionIds: readonly string[] | undefined;
  readonly tagIds: readonly string[] | undefined;
};

/** The documents that a channel would show with these sources, before they are saved. */
export function ChannelPreview({ id, collectionIds, tagIds }: ChannelPreviewProps): ReactElement {
  const { messages } = useWords();
  const { channels: words } = settingsWords;
  const input = {
    ...(id !== undefined && { id }),
    ...(collectionIds !== undefined && { collectionIds: [...collectionIds] }),
    ...(tagIds !== undefined && { tagIds: [...tagIds] }),
  };
  const preview = useInfiniteQuery({
    queryKey: ["channels.preview", input],
    queryFn: ({ pageParam, signal }) =>
      call("channels.preview", { ...input, limit: pageSize, offset: pageParam }, { signal }),
    initialPageParam: 0,
    getNextPageParam: ({ total, offset, data }) => (offset + data.length < total ? offset + data.length : undefined),
    placeholderData: keepPreviousData,
    retry: false,
  });
  const [first] = preview.data?.pages ?? [];
  const rows = preview.data?.pages.flatMap(({ data }) => data) ?? [];
  return (
    <section aria-label={words.preview}>
      <h3>{words.preview}</h3>
      <p className="quiet">{words.previewHelp}</p>
      {preview.error !== null && <p role="alert">{failureText(preview.error, messages)}</p>}
      <p role="status">
        {preview.error === null && first !== undefined && words.previewCount(first.total)}
        {preview.error === null && first?.total === 0 && !first.isPartial && (
          <span className="row-detail">{words.previewEmpty}</span>
        )}
        {preview.error === null && first?.isPartial === true && (
          <span className="row-detail">{words.previewPartial}</span>
        )}
      </p>
      {preview.error === null && rows.length > 0 && (
        <ul className="rows">
          {rows.map(({ id: documentId, title, emoji, collection, updatedAt }) => (
            <li key={documentId}>
              <div className="row-text">
                <Link to="/documents/$documentId" params={{ documentId }} className="row-title" dir="auto">
                  {emoji !== null && `${emoji} `}
                  {title}
                </Link>
                <span className="row-detail facts">
                  <bdi>{collection.name}</bdi>
                  <When time={updatedAt} />
                </span>
              </div>
            </li>
          ))}
        </ul>
      )}
      {preview.hasNextPage && (
        <button type="button" className="button" onClick={() => void preview.fetchNextPage()}>
          {words.previewMore}
        </button>
      )}
    </section>
  );
}
