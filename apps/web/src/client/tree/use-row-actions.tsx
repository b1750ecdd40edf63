import { useQueryClient } from "@tanstack/react-query";
import { type ReactElement, type RefObject, useState } from "react";
import { failureText } from "../actions/failure-text.ts";
import { type Target, targetOfNode } from "../actions/target.ts";
import { useActions } from "../actions/use-actions.ts";
import { notify } from "../app/notices.ts";
import { useWords } from "../app/words.tsx";
import { lazyLayer } from "../parts/lazy-layer.tsx";
import { usePreload } from "../parts/use-preload.ts";
import type { Level } from "./level-pages.ts";
import { type Destination, moveDocument, placeBeside } from "./move.ts";
import { openRows } from "./open-rows.ts";
import { type ItemRow, type LevelPlace, placeOf } from "./rows.ts";

const ActionMenu = lazyLayer(async () => (await import("../actions/action-menu.tsx")).ActionMenu);

type OpenMenu = { readonly target: Target; readonly trigger: RefObject<HTMLButtonElement | null> };

/** Moves a document, and reports it in words if the service refuses. */
export type Move = (target: Target, destination: Destination) => Promise<void>;

type RowActions = {
  /** Does to a row what its buttons and keys say. */
  readonly act: (name: string, row: ItemRow, element: HTMLElement) => void;
  readonly move: Move;
  /** The menu of a row, while it is open. */
  readonly menu: ReactElement | null;
};

/** Returns what the rows of the tree do. */
export function useRowActions(levelAt: (place: LevelPlace) => Level | undefined): RowActions {
  const { run, create } = useActions();
  const [menu, setMenu] = useState<OpenMenu>();
  const move = useMove();
  usePreload(ActionMenu.preload);
  const step = (row: ItemRow, target: Target, by: -1 | 1): void => {
    const place = placeOf(row);
    const level = place && levelAt(place);
    const destination = place && level && placeBeside(level, place, row.key, by);
    if (destination !== undefined) void move(target, destination);
  };
  const act = (name: string, row: ItemRow, element: HTMLElement): void => {
    if (name === "toggle") toggle(row);
    if (name === "create") void create({ collectionId: row.collection.id, parentId: row.node?.id ?? null });
    const target = row.node && targetOfNode(row.node, row.collection);
    if (target === undefined) return;
    const trigger = element.closest<HTMLButtonElement>("button") ?? element.querySelector<HTMLButtonElement>("button");
    if (name === "menu") setMenu({ target, trigger: { current: trigger } });
    if (!target.abilities.edit) return;
    if (name === "rename") void run("rename", target);
    if (name === "up") step(row, target, -1);
    if (name === "down") step(row, target, 1);
  };
  const shown = menu && <ActionMenu target={menu.target} trigger={menu.trigger} onClose={() => setMenu(undefined)} />;
  return { act, move, menu: shown ?? null };
}

function toggle({ key, isOpen }: ItemRow): void {
  if (isOpen === true) openRows.close(key);
  if (isOpen === false) openRows.open([key]);
}

function useMove(): Move {
  const queries = useQueryClient();
  const { messages } = useWords();
  return async (target, destination) => {
    try {
      await moveDocument(queries, target, destination);
    } catch (error) {
      const reason = failureText(error, messages);
      notify({ text: messages.notMoved(target.title || messages.untitled, reason), isFailure: true });
    }
  };
}
