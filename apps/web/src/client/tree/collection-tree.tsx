import { useRouterState } from "@tanstack/react-router";
import { type MouseEvent, type ReactElement, useId, useMemo, useRef, useState } from "react";
import { useWords } from "../app/words.tsx";
import { GapItem } from "./gap-item.tsx";
import { useServerTree } from "./server-tree.ts";
import styles from "./tree.module.css";
import { TreeItem } from "./tree-item.tsx";
import { useDrag } from "./use-drag.ts";
import { useFollowLink } from "./use-follow-link.ts";
import { useRowActions } from "./use-row-actions.tsx";
import { useRowButtons } from "./use-row-buttons.ts";
import { useRows, useShownLevels } from "./use-rows.ts";
import { useTreeKeys } from "./use-tree-keys.ts";
import { useTreeWindow } from "./use-tree-window.ts";

/** All collections with the documents below them. Only the rows on the screen are in the page. */
export function CollectionTree(): ReactElement {
  const { messages } = useWords();
  const tree = useRef<HTMLDivElement>(null);
  const { rows, levelAt } = useRows();
  const currentKey = useCurrentKey();
  const [focusedKey, setFocusedKey] = useState<string>();
  const { act, move, menu } = useRowActions(levelAt);
  const followLink = useFollowLink();
  const help = useId();
  const indexes = useMemo(() => new Map(rows.map(({ key }, index) => [key, index])), [rows]);
  const indexOf = (key: string | undefined): number => indexes.get(key ?? "") ?? -1;
  const reachableKey = [focusedKey, currentKey].find((key) => indexOf(key) >= 0) ?? rows[0]?.key;
  const { hasButtons, pointAt, showButtonsOf } = useRowButtons(reachableKey);
  const drag = useDrag({ rows, levelAt, move });
  const always = [indexOf(reachableKey), indexOf(currentKey)];
  const kept = [drag.heldKey, focusedKey, currentKey];
  const view = useTreeWindow(tree, rows, { always, currentKey, kept, server: useServerTree() });
  useShownLevels(view.items.flatMap(({ index }) => rows[index] ?? []));
  const onKeyDown = useTreeKeys({ tree, rows, indexOf, setFocusedKey, showButtonsOf, view, act, followLink });
  const onClick = (event: MouseEvent): void => {
    const row = rows[indexOf(keyAt(event.target))];
    const element = event.target instanceof Element ? event.target.closest<HTMLElement>("[data-action]") : null;
    if (row?.kind === "item" && element !== null) {
      // The row keeps its buttons while the pointer is in the menu. Not every browser focuses a button that is clicked.
      setFocusedKey(row.key);
      showButtonsOf(row.key);
      act(element.dataset.action ?? "", row, element);
    } else followLink(event);
  };
  return (
    <>
      <div
        ref={tree}
        role="tree"
        aria-label={messages.collections}
        aria-describedby={help}
        className={styles.tree}
        style={{ blockSize: view.height }}
        onKeyDown={onKeyDown}
        onFocus={({ target }) => {
          setFocusedKey(keyAt(target));
          if (target.role !== "treeitem") showButtonsOf(keyAt(target));
        }}
        onPointerOver={({ target }) => pointAt(keyAt(target))}
        onPointerLeave={() => pointAt(undefined)}
        onClick={onClick}
        {...drag.handlers}
      >
        {view.items.map(({ index, space }) => {
          const row = rows[index];
          if (row === undefined) return null;
          if (row.kind === "gap") return <GapItem key={row.key} row={row} space={space} />;
          const { key } = row;
          const marks = { isReachable: key === reachableKey, isCurrent: key === currentKey };
          const dropZone = drag.over?.key === key ? drag.over.zone : undefined;
          return <TreeItem key={key} {...{ row, space, dropZone, ...marks }} hasButtons={hasButtons(key)} />;
        })}
      </div>
      <p id={help} hidden>
        {messages.treeHelp}
      </p>
      {menu}
    </>
  );
}

/** Returns the key of the row that an element is in. */
const keyAt = (element: EventTarget): string | undefined =>
  element instanceof Element ? element.closest<HTMLElement>("[data-key]")?.dataset.key : undefined;

/** Returns the key of the row of the page that is shown. */
function useCurrentKey(): string | undefined {
  const path = useRouterState({ select: ({ location }) => location.pathname });
  return /^\/(?:documents|collections)\/([0-9a-f-]{36})/i.exec(path)?.[1]?.toLowerCase();
}
