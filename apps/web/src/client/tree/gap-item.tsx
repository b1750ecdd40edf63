import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactElement, useEffect, useState } from "react";
import { useWords } from "../app/words.tsx";
import { levelQuery, loadMore } from "./level-queries.ts";
import type { GapRow } from "./rows.ts";
import styles from "./tree.module.css";

/** Stands for documents that are not loaded yet, and loads them once it is on the screen. */
export function GapItem({ row, start }: { readonly row: GapRow; readonly start: number }): ReactElement {
  const { messages } = useWords();
  const queries = useQueryClient();
  const first = useQuery({ ...levelQuery(row.place), enabled: row.isFirst });
  const [isFailed, setFailed] = useState(false);
  const known = first.data?.data.length ?? 0;
  const load = (): void => {
    setFailed(false);
    if (row.isFirst) void first.refetch();
    else loadMore(queries, row.place).catch(() => setFailed(true));
  };
  useEffect(() => {
    if (!row.isFirst) load();
  }, [row.isFirst, row.key, known]);
  const failed = row.isFirst ? first.isError : isFailed;
  return (
    <div
      role="treeitem"
      aria-level={row.level}
      className={styles.gap}
      style={{ transform: `translateY(${start}px)` }}
      data-indent={Math.min(row.level, 8)}
      tabIndex={-1}
      aria-busy={!failed}
    >
      {failed ? (
        <button type="button" className={styles.retry} onClick={load}>
          {messages.treeFailed}
        </button>
      ) : (
        <span className={styles.loading}>{messages.loading}</span>
      )}
    </div>
  );
}
