import type { ReactElement } from "react";
import { useWords } from "../app/words.tsx";
import type { MenuProps } from "../parts/menu-button.tsx";
import { MenuEntry } from "../parts/menu-entry.tsx";
import { MenuLayer } from "../parts/menu-layer.tsx";
import { type CollectionAction, collectionActionNames } from "./collection-actions.ts";

type CollectionMenuProps = MenuProps & {
  readonly name: string;
  readonly actions: readonly CollectionAction[];
  readonly onAction: (action: CollectionAction) => void;
};

/** The menu of a collection: what the reader may do with it. */
export function CollectionMenu({ name, actions, onAction, ...menuProps }: CollectionMenuProps): ReactElement {
  const { messages } = useWords();
  return (
    <MenuLayer
      {...menuProps}
      label={messages.collectionActions(name)}
      onAction={(key) => {
        const action = actions.find((each) => each === key);
        if (action !== undefined) onAction(action);
      }}
    >
      {actions.map((action) => {
        const { icon, label } = collectionActionNames[action];
        const shortcut = action === "create" ? action : undefined;
        return <MenuEntry key={action} id={action} icon={icon} label={messages[label]} shortcut={shortcut} />;
      })}
    </MenuLayer>
  );
}
