import { defaultRangeExtractor, useWindowVirtualizer } from "@tanstack/react-virtual";
import { type CSSProperties, type ReactElement, useCallback, useLayoutEffect, useRef, useState } from "react";
import type { TreeNode } from "../api/contract.ts";
import { useWords } from "../app/words.tsx";
import { DocumentEntry } from "../parts/document-entry.tsx";
import styles from "./level-list.module.css";
import { type Level, pageAt, restOf } from "./level-pages.ts";
import { PrintList } from "./print-list.tsx";
import type { LevelPlace } from "./rows.ts";
import { useRest } from "./use-rest.ts";
import { useShownPages } from "./use-shown-pages.ts";

/** Rows above and below the window that are in the page too. */
const overscan = 8;
/** The height of a row whose title takes one line, in pixels, until it is measured. */
const usualHeight = 50;

/**
 * The documents of a level as a list in the page. Only the rows in the window are in the page, and the one with the focus with
 * its neighbors, so that Tab goes on from it; the others are loaded when the window comes near them.
 */
export function LevelList({ place, level }: { readonly place: LevelPlace; readonly level: Level }): ReactElement {
  const { messages } = useWords();
  const list = useRef<HTMLUListElement>(null);
  const { data } = level;
  const hasRest = restOf(level) !== undefined;
  const margin = useTop(list);
  const [focusedId, setFocusedId] = useState<string>();
  const focused = data.findIndex(({ id }) => id === focusedId);
  const getItemKey = useCallback((index: number) => data[index]?.id ?? "rest", [data]);
  const virtualizer = useWindowVirtualizer({
    count: data.length + Number(hasRest),
    estimateSize: () => usualHeight,
    getItemKey,
    overscan,
    scrollMargin: margin,
    rangeExtractor: (range) => {
      const around = focused < 0 ? [] : [focused - 1, focused, focused + 1];
      const further = around.filter((index) => index >= 0 && index < range.count);
      return [...new Set([...defaultRangeExtractor(range), ...further])].sort((one, other) => one - other);
    },
  });
  const items = virtualizer.getVirtualItems();
  useShownPages([{ place, nodes: items.flatMap(({ index }) => data[index] ?? []) }]);
  const isRestShown = items.some(({ index }) => index === data.length);
  const rest = useRest(place, data.length, hasRest && isRestShown);
  const setSize = hasRest ? -1 : data.length;
  return (
    <>
      <PrintList place={place} nodes={hasRest ? undefined : data} />
      <ul
        ref={list}
        className={`rows ${styles.list ?? ""}`}
        style={variables({ "--height": virtualizer.getTotalSize() })}
        onFocus={({ target }) => setFocusedId(target.closest("li")?.dataset.id)}
      >
        {items.map(({ index, key, start }) => {
          const node = data[index];
          const shared = { ref: virtualizer.measureElement, "data-index": index };
          const style = variables({ "--start": start - margin });
          if (node === undefined) {
            return (
              <li key={key} {...shared} style={style} aria-busy={!rest.isFailed}>
                <Waiting retry={rest.isFailed ? rest.load : undefined} />
              </li>
            );
          }
          return (
            <li key={key} {...shared} style={style} data-id={node.id} aria-posinset={index + 1} aria-setsize={setSize}>
              {isHidden(level, node) ? (
                <p className="quiet">{messages.loading}</p>
              ) : (
                <DocumentEntry row={{ ...node, isDraft: node.state === "draft" }} />
              )}
            </li>
          );
        })}
      </ul>
    </>
  );
}

/** Returns a style with variables in pixels. */
function variables(values: Readonly<Record<`--${string}`, number>>): CSSProperties & Record<`--${string}`, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, `${value}px`]));
}

const isHidden = (level: Level, node: TreeNode): boolean =>
  level.pages !== undefined && pageAt(level, node).state === "hidden";

/** Stands for the documents that are not loaded yet. */
function Waiting({ retry }: { readonly retry: (() => void) | undefined }): ReactElement {
  const { messages } = useWords();
  if (retry === undefined) return <p className="quiet">{messages.loading}</p>;
  return (
    <button type="button" className="button" onClick={retry}>
      {messages.treeFailed}
    </button>
  );
}

/** Returns the distance of an element from the top of the page, in pixels, as it is when what stands above it changes. */
function useTop(element: { readonly current: HTMLElement | null }): number {
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    const { current } = element;
    if (current === null) return;
    const measure = (): void => setTop(Math.round(current.getBoundingClientRect().top + scrollY));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [element]);
  return top;
}
