import { type KeyboardEvent, type RefObject, useLayoutEffect, useMemo, useRef, useState } from "react";
import { effectOfKey } from "../../tree/keys.ts";
import type { Row } from "../../tree/rows.ts";
import { useOpenRows, useShownLevels } from "../../tree/use-rows.ts";
import { type TreeWindow, useTreeWindow } from "../../tree/use-tree-window.ts";

type RestrictionGrid = {
  readonly grid: RefObject<HTMLDivElement | null>;
  readonly rows: readonly Row[];
  readonly view: TreeWindow;
  /** The row that Tab reaches. */
  readonly reachableKey: string | undefined;
  readonly toggle: (key: string, isOpen: boolean) => void;
  readonly press: (event: KeyboardEvent) => void;
  readonly setFocusedKey: (key: string | undefined) => void;
};

/** Returns the rows of the tree that are on the screen, and what the keys do with them (APG, treegrid). */
export function useRestrictionGrid(): RestrictionGrid {
  const grid = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const [focusedKey, setFocusedKey] = useState<string>();
  const wanted = useRef<string>(undefined);
  const { rows } = useOpenRows(open);
  const indexes = useMemo(() => new Map(rows.map(({ key }, index) => [key, index])), [rows]);
  const reachableKey = focusedKey !== undefined && indexes.has(focusedKey) ? focusedKey : rows[0]?.key;
  const always = [indexes.get(reachableKey ?? "") ?? -1];
  const view = useTreeWindow(grid, rows, { always, currentKey: undefined, kept: [] });
  useShownLevels(view.items.flatMap(({ index }) => rows[index] ?? []));
  useLayoutEffect(() => {
    const element = rowElement(grid.current, wanted.current);
    if (element === null) return;
    wanted.current = undefined;
    element.focus({ preventScroll: true });
  });
  const toggle = (key: string, isOpen: boolean): void =>
    setOpen(isOpen ? new Set([...open, key]) : new Set([...open].filter((each) => each !== key)));
  const press = (event: KeyboardEvent): void => {
    const { key } = event;
    const row = rows[indexes.get(rowKeyOf(event)) ?? -1];
    if (row === undefined) return;
    const effect = effectOfKey(key, rows, rows.indexOf(row), document.dir === "rtl");
    const isPress = key === "Enter" || key === " ";
    if (effect !== undefined || isPress || key.startsWith("Arrow")) event.preventDefault();
    if (effect?.to === "open" || effect?.to === "close") toggle(effect.row.key, effect.to === "open");
    else if (effect?.to === "focus") {
      wanted.current = rows[effect.index]?.key;
      setFocusedKey(wanted.current);
      view.scrollTo(effect.index);
    } else if (isPress && row.kind === "item" && row.isOpen !== undefined) toggle(row.key, !row.isOpen);
  };
  return { grid, rows, view, reachableKey, toggle, press, setFocusedKey };
}

/** Returns the key of the row that a key was pressed on; what is in a row keeps its own keys, and so do shortcuts. */
function rowKeyOf({ target, ctrlKey, metaKey, altKey }: KeyboardEvent): string {
  if (!(target instanceof HTMLElement) || ctrlKey || metaKey || altKey) return "";
  if (target.closest("select, button") !== null) return "";
  return target.closest<HTMLElement>("[data-key]")?.dataset.key ?? "";
}

const rowElement = (grid: HTMLElement | null, key: string | undefined): HTMLElement | null =>
  key === undefined ? null : (grid?.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`) ?? null);
