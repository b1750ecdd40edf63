import { type ReactElement, useState, useSyncExternalStore } from "react";
import { Header, MenuItem, MenuSection, Separator } from "react-aria-components";
import { isLocale, locales } from "../../messages/index.ts";
import { logOut } from "../actions/log-out.ts";
import menu from "../parts/menu.module.css";
import type { MenuProps } from "../parts/menu-button.tsx";
import { MenuLayer } from "../parts/menu-layer.tsx";
import { pendingChanges } from "../writing/pending-changes.ts";
import { openDialog } from "./dialogs.ts";
import { isTheme, setLocale, setTheme, themeOf, themes } from "./preferences.ts";
import { useWords } from "./words.tsx";

/** The user's menu: appearance, language, logging out. */
export function AccountMenu(menuProps: MenuProps): ReactElement {
  const { messages, locale } = useWords();
  const kept = useSyncExternalStore(pendingChanges.subscribe, pendingChanges.read);
  const [theme, showTheme] = useState(themeOf);
  const themeNames = { system: messages.themeSystem, light: messages.themeLight, dark: messages.themeDark };
  return (
    <MenuLayer {...menuProps} label={messages.account}>
      <MenuSection
        selectionMode="single"
        disallowEmptySelection
        selectedKeys={[theme]}
        onSelectionChange={(keys) => {
          const [chosen] = [...keys].map(String).filter(isTheme);
          if (chosen === undefined) return;
          setTheme(chosen);
          showTheme(chosen);
        }}
      >
        <Header className={menu.header ?? ""}>{messages.appearance}</Header>
        {themes.map((name) => (
          <MenuItem key={name} id={name} className={menu.item ?? ""}>
            {themeNames[name]}
          </MenuItem>
        ))}
      </MenuSection>
      <MenuSection
        selectionMode="single"
        disallowEmptySelection
        selectedKeys={[locale]}
        onSelectionChange={(keys) => {
          const [chosen] = [...keys].map(String);
          if (isLocale(chosen)) setLocale(chosen);
        }}
      >
        <Header className={menu.header ?? ""}>{messages.language}</Header>
        {Object.entries(locales).map(([id, { name }]) => (
          <MenuItem key={id} id={id} className={menu.item ?? ""}>
            {name}
          </MenuItem>
        ))}
      </MenuSection>
      <Separator className={menu.separator ?? ""} />
      {kept > 0 && (
        <MenuItem className={menu.item ?? ""} onAction={() => openDialog({ name: "kept" })}>
          {messages.keptPlace}
        </MenuItem>
      )}
      <MenuItem className={menu.item ?? ""} onAction={() => openDialog({ name: "notices" })}>
        {messages.lastNotices}
      </MenuItem>
      <MenuItem className={menu.item ?? ""} href="/docs">
        {messages.documentation}
      </MenuItem>
      <MenuItem className={menu.item ?? ""} onAction={() => void logOut()}>
        {messages.logOut}
      </MenuItem>
    </MenuLayer>
  );
}
