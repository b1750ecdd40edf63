import { useQuery } from "@tanstack/react-query";
import { type ReactElement, useMemo } from "react";
import { starsQuery } from "../actions/stars.ts";
import { targetOfView } from "../actions/target.ts";
import { useActions } from "../actions/use-actions.ts";
import type { View } from "../api/contract.ts";
import { ariaKeys } from "../app/shortcuts.ts";
import { useShortcut } from "../app/use-shortcut.ts";
import { useWords } from "../app/words.tsx";
import { Icon } from "../parts/icon.tsx";
import { lazyLayer } from "../parts/lazy-layer.tsx";
import { MenuButton, type MenuProps } from "../parts/menu-button.tsx";
import { focusOutline } from "../reading/outline.tsx";

const ActionMenu = lazyLayer(async () => (await import("../actions/action-menu.tsx")).ActionMenu);

/** The buttons beside the title: writing, the star, and the menu of the document. */
export function DocumentActions({ view }: { readonly view: View }): ReactElement {
  const { messages } = useWords();
  const { run } = useActions();
  const { data: stars } = useQuery(starsQuery);
  const target = useMemo(() => targetOfView(view), [view]);
  const isTrashed = view.document.deletedAt !== null;
  const canEdit = target.abilities.edit && !target.isArchived;
  const isStarred = stars.some(({ id }) => id === target.id);
  const toggleStar = (): void => void run(isStarred ? "unstar" : "star", target);
  const menu = useMemo(
    () => (props: MenuProps) => <ActionMenu {...props} target={target} isPage isTrashed={isTrashed} />,
    [target, isTrashed],
  );
  useShortcut("edit", canEdit && (() => void run("edit", target)));
  useShortcut("move", canEdit && (() => void run("move", target)));
  useShortcut("star", !isTrashed && toggleStar);
  useShortcut("history", !isTrashed && (() => void run("history", target)));
  useShortcut("print", () => void run("print", target));
  useShortcut("outline", focusOutline);
  return (
    <div className="actions">
      {canEdit && (
        <button
          type="button"
          className="button"
          aria-keyshortcuts={ariaKeys("edit")}
          onClick={() => void run("edit", target)}
        >
          <Icon name="draft" /> {messages.editAction}
        </button>
      )}
      {!isTrashed && (
        <button
          type="button"
          className="button star"
          aria-pressed={isStarred}
          aria-label={messages.star}
          aria-keyshortcuts={ariaKeys("star")}
          onClick={toggleStar}
        >
          <Icon name="star" />
        </button>
      )}
      <MenuButton label={messages.actions} className="button" menu={menu} preload={ActionMenu.preload}>
        <Icon name="more" />
      </MenuButton>
    </div>
  );
}
