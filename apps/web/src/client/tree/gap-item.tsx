import { useQuery } from "@tanstack/react-query";
import { type MouseEvent, type ReactElement, useState } from "react";
import { useWords } from "../app/words.tsx";
import { levelQuery } from "./level-queries.ts";
import type { GapRow } from "./rows.ts";
import { spaceAbove } from "./space-above.ts";
import styles from "./tree.module.css";
import { useRest } from "./use-rest.ts";

/**
 * Stands for documents that are not loaded yet, and loads them once it is on the screen; only when they are asked for, where they would push
 * away the row at which the tree was opened.
 */
export function GapItem({ row, space }: { readonly row: GapRow; readonly space: number }): ReactElement {
  const { messages } = useWords();
  const isFirst = row.missing === "level";
  const level = useQuery({ ...levelQuery(row.place), enabled: isFirst });
  const known = level.data?.data.length ?? 0;
  const rest = useRest(row.place, known, row.missing === "rest");
  const [askedAt, setAskedAt] = useState<number>();
  const isOffered = row.missing === "between" && askedAt !== known;
  const failed = isFirst ? level.isError : rest.isFailed;
  return (
    <div
      role="treeitem"
      aria-level={row.level}
      className={styles.gap}
      style={spaceAbove(space)}
      data-indent={Math.min(row.level, 8)}
      tabIndex={-1}
      aria-busy={!failed && !isOffered}
      // Named from the start: its words are hidden for the first 200 ms.
      aria-label={failed || isOffered ? undefined : messages.loading}
    >
      {isOffered ? (
        <button
          type="button"
          className={styles.more}
          onClick={(event) => {
            focusRowBefore(event);
            setAskedAt(known);
            rest.load();
          }}
        >
          {messages.treeMore}
        </button>
      ) : failed ? (
        <button
          type="button"
          className={styles.retry}
          onClick={(event) => {
            focusRowBefore(event);
            if (isFirst) void level.refetch();
            else rest.load();
          }}
        >
          {messages.treeFailed}
        </button>
      ) : (
        <span className={styles.loading}>{messages.loading}</span>
      )}
    </div>
  );
}

/** Gives the focus of a button that is about to leave to the row before it: the rows that come stand below that row, which stays. */
function focusRowBefore({ currentTarget }: MouseEvent): void {
  let row = currentTarget.closest("[role=treeitem]")?.previousElementSibling;
  // Another gap has no keys.
  while (row instanceof HTMLElement && row.dataset.key === undefined) row = row.previousElementSibling;
  if (row instanceof HTMLElement) row.focus({ preventScroll: true });
}
