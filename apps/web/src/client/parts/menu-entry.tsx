import type { ReactElement } from "react";
import { MenuItem, Text } from "react-aria-components";
import { type ShortcutName, shortcuts } from "../app/shortcuts.ts";
import type { IconName } from "../icons/names.ts";
import { Icon } from "./icon.tsx";
import { keysText } from "./keys.tsx";
import menu from "./menu.module.css";
import { MenuKeys } from "./menu-keys.tsx";

type MenuEntryProps = {
  readonly id: string;
  readonly icon: IconName;
  readonly label: string;
  /** The keys that do the same, which stand at the end of the entry. */
  readonly shortcut?: ShortcutName | undefined;
};

/** An entry of a menu: a symbol, a name, and the keys that do the same. */
export function MenuEntry({ id, icon, label, shortcut }: MenuEntryProps): ReactElement {
  return (
    <MenuItem id={id} textValue={label} className={menu.item ?? ""}>
      <Icon name={icon} />
      <Text slot="label">{label}</Text>
      {shortcut !== undefined && <MenuKeys keys={keysText(shortcuts[shortcut])} />}
    </MenuItem>
  );
}
