import type { ReactElement } from "react";
import { useWords } from "../app/words.tsx";
import type { MenuProps } from "../parts/menu-button.tsx";
import { MenuEntry } from "../parts/menu-entry.tsx";
import { MenuLayer } from "../parts/menu-layer.tsx";
import { actionsOf } from "./action-names.ts";
import { useStars } from "./stars.ts";
import type { Target } from "./target.ts";
import { useActions } from "./use-actions.ts";

type ActionMenuProps = MenuProps & {
  readonly target: Target;
  readonly isPage?: boolean;
  readonly isTrashed?: boolean;
};

/** The menu of a document: what the reader may do with it. */
export function ActionMenu({ target, isPage, isTrashed, ...menuProps }: ActionMenuProps): ReactElement {
  const { messages } = useWords();
  const stars = useStars();
  const { run } = useActions();
  const isStarred = stars.some(({ id }) => id === target.id);
  const actions = actionsOf(target, messages, { isStarred, isPage: isPage === true, isTrashed: isTrashed === true });
  return (
    <MenuLayer
      {...menuProps}
      label={messages.actionsFor(target.title || messages.untitled)}
      onAction={(key) => {
        const action = actions.find(({ name }) => name === key);
        if (action !== undefined) void run(action.name, target);
      }}
    >
      {actions.map(({ name, icon, label, shortcut }) => (
        <MenuEntry key={name} id={name} icon={icon} label={label} shortcut={shortcut} />
      ))}
    </MenuLayer>
  );
}
