import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { defaultRangeExtractor, useWindowVirtualizer } from "@tanstack/react-virtual";
import { type ReactElement, useEffect, useRef, useState } from "react";
import { timeFormat } from "../../../messages/dates.ts";
import { call } from "../../api/call.ts";
import type { OutputOf } from "../../api/contract.ts";
import { settingsWords } from "../../app/settings-words.ts";
import { useWords } from "../../app/words.tsx";
import { Loading } from "../../parts/loading.tsx";
import { auditFilter } from "./audit-filter.ts";
import type { SettingsParameters } from "./settings-parameters.ts";
import list from "./windowed-list.module.css";

type Entry = OutputOf<"audit.list">["data"][number];

/** The entries of one request. */
const pageSize = 100;
/** The height of an entry until it is measured, in pixels. */
const usualHeight = 66;

/** The entries that a filter names, newest first. Only those in the window are in the page; older ones load at its end. */
export function AuditList({ search }: { readonly search: SettingsParameters }): ReactElement {
  const { audit: words } = settingsWords;
  const filter = auditFilter(search);
  const log = useInfiniteQuery({
    queryKey: ["audit.list", filter],
    queryFn: ({ pageParam, signal }) =>
      call("audit.list", { ...filter, limit: pageSize, cursor: pageParam }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  });
  if (log.data === undefined) return <Loading query={log} />;
  const entries = log.data.pages.flatMap(({ data }) => data);
  if (entries.length === 0) return <p role="status">{words.empty}</p>;
  return (
    <>
      <Entries
        entries={entries}
        hasMore={log.hasNextPage}
        onEnd={() => !log.isFetching && !log.isError && void log.fetchNextPage()}
      />
      {log.isFetchNextPageError && <Loading query={{ error: log.error, refetch: () => log.fetchNextPage() }} />}
    </>
  );
}

type EntriesProps = {
  readonly entries: readonly Entry[];
  readonly hasMore: boolean;
  /** Called when the last entry comes into the window and there are more. */
  readonly onEnd: () => void;
};

function Entries({ entries, hasMore, onEnd }: EntriesProps): ReactElement {
  const { audit: words } = settingsWords;
  const element = useRef<HTMLUListElement>(null);
  const [focused, setFocused] = useState(-1);
  const margin = element.current?.offsetTop ?? 0;
  const virtualizer = useWindowVirtualizer({
    count: entries.length,
    estimateSize: () => usualHeight,
    overscan: 8,
    scrollMargin: margin,
    rangeExtractor: (range) => {
      const further = focused >= 0 && focused < range.count ? [focused] : [];
      return [...new Set([...defaultRangeExtractor(range), ...further])].sort((one, other) => one - other);
    },
  });
  const items = virtualizer.getVirtualItems();
  const isAtEnd = items.at(-1)?.index === entries.length - 1;
  useEffect(() => {
    if (isAtEnd && hasMore) onEnd();
  });
  return (
    <ul
      ref={element}
      className={`rows ${list.list ?? ""}`}
      aria-label={words.table}
      style={{ blockSize: virtualizer.getTotalSize() }}
      onFocus={({ target }) => setFocused(Number(target.closest("li")?.dataset.index ?? -1))}
    >
      {items.map(({ index, start }) => {
        const entry = entries[index];
        if (entry === undefined) return null;
        return (
          <li
            key={entry.id}
            ref={virtualizer.measureElement}
            data-index={index}
            aria-posinset={index + 1}
            aria-setsize={hasMore ? -1 : entries.length}
            style={{ transform: `translateY(${start - margin}px)` }}
          >
            <EntryRow entry={entry} />
          </li>
        );
      })}
    </ul>
  );
}

function EntryRow({ entry }: { readonly entry: Entry }): ReactElement {
  const { audit: words } = settingsWords;
  const { locale } = useWords();
  const { at, user, credential, action, outcome, target, address, details } = entry;
  return (
    <div className="row-text">
      <span className="row-title">
        <code dir="ltr">{action}</code>{" "}
        {outcome !== "success" && <span className="tag alarm">{words.outcomes[outcome]}</span>}
      </span>
      <span className="row-detail facts">
        <time dateTime={at}>{timeFormat(locale, "exact").format(new Date(at))}</time>
        {user === null ? (
          <span>{words.nobody}</span>
        ) : (
          <Link to="." search={(before) => ({ ...before, user: user.id })}>
            {user.name ?? user.id}
          </Link>
        )}
        <span dir="ltr">{credential.kind}</span>
        {address !== null && <span dir="ltr">{address}</span>}
        {target !== null && (
          <code dir="ltr">
            {target.type} {target.id}
          </code>
        )}
        {Object.keys(details).length > 0 && <code dir="ltr">{JSON.stringify(details)}</code>}
      </span>
    </div>
  );
}
