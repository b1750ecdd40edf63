import { type DragEvent, useRef, useState } from "react";
import { type Target, targetOfNode } from "../actions/target.ts";
import { type DropZone, dropPlace, zoneAt } from "./drop-place.ts";
import type { Level } from "./level-pages.ts";
import type { Destination } from "./move.ts";
import { openRows } from "./open-rows.ts";
import type { ItemRow, LevelPlace, Row } from "./rows.ts";
import type { Move } from "./use-row-actions.tsx";

/** A closed row opens when a document is held over it for this time. */
const openAfterMs = 700;

type DragOptions = {
  readonly rows: readonly Row[];
  readonly levelAt: (place: LevelPlace) => Level | undefined;
  readonly move: Move;
};

type Over = { readonly key: string; readonly zone: DropZone; readonly destination: Destination };

/** Returns the handlers by which documents are dragged within the tree. "Move" in their menus does the same by keyboard. */
export function useDrag({ rows, levelAt, move }: DragOptions) {
  const [over, setOver] = useState<Over>();
  const dragged = useRef<Target>(undefined);
  const held = useRef<{ key: string; timer: ReturnType<typeof setTimeout> }>(undefined);
  const rowUnder = (event: DragEvent): { row: ItemRow; position: number } | undefined => {
    const element = event.target instanceof Element ? event.target.closest<HTMLElement>("[data-key]") : null;
    const row = rows.find((each): each is ItemRow => each.kind === "item" && each.key === element?.dataset.key);
    if (element === null || row === undefined) return undefined;
    const { top, height } = element.getBoundingClientRect();
    return { row, position: (event.clientY - top) / height };
  };
  const hold = (row: ItemRow | undefined): void => {
    if (held.current?.key === row?.key) return;
    clearTimeout(held.current?.timer);
    held.current = row && {
      key: row.key,
      timer: setTimeout(() => row.isOpen === false && openRows.open([row.key]), openAfterMs),
    };
  };
  const end = (): void => {
    hold(undefined);
    dragged.current = undefined;
    setOver(undefined);
  };
  const handlers = {
    onDragStart: (event: DragEvent) => {
      const row = rowUnder(event)?.row;
      if (row?.node === undefined) return;
      dragged.current = targetOfNode(row.node, row.collection);
      event.dataTransfer.effectAllowed = "move";
      event.dataTransfer.setData("text/uri-list", new URL(`/documents/${row.key}`, location.href).href);
    },
    onDragOver: (event: DragEvent) => {
      const under = rowUnder(event);
      if (dragged.current === undefined || under === undefined) return;
      hold(under.row);
      const zone = zoneAt(under.row, under.position);
      const destination = dropPlace(dragged.current, under.row, zone, rows, levelAt);
      if (destination === undefined) return setOver(undefined);
      event.preventDefault();
      event.dataTransfer.dropEffect = "move";
      setOver((known) =>
        known?.key === under.row.key && known.zone === zone ? known : { key: under.row.key, zone, destination },
      );
    },
    onDragEnd: end,
    onDrop: (event: DragEvent) => {
      event.preventDefault();
      const target = dragged.current;
      if (target !== undefined && over !== undefined) {
        // Opens the row, so that the document is visible inside it.
        if (over.zone === "inside") openRows.open([over.key]);
        void move(target, over.destination);
      }
      end();
    },
  };
  return { over, heldKey: held.current?.key, handlers };
}
