import { useQuery } from "@tanstack/react-query";
import type { ReactElement } from "react";
import { MenuItem } from "react-aria-components";
import { useWords } from "../app/words.tsx";
import { Icon } from "../parts/icon.tsx";
import menu from "../parts/menu.module.css";
import type { MenuProps } from "../parts/menu-button.tsx";
import { MenuLayer } from "../parts/menu-layer.tsx";
import { actionsOf } from "./action-names.ts";
import { starsQuery } from "./stars.ts";
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
  const { data: stars } = useQuery(starsQuery);
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
      {actions.map(({ name, icon, label }) => (
        <MenuItem key={name} id={name} className={menu.item ?? ""}>
          <Icon name={icon} /> {label}
        </MenuItem>
      ))}
    </MenuLayer>
  );
}
