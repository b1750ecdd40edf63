import type { ReactElement, ReactNode } from "react";
import { I18nProvider, Menu, Popover } from "react-aria-components";
import { useWords } from "../app/words.tsx";
import menu from "./menu.module.css";
import type { MenuProps } from "./menu-button.tsx";

type MenuLayerProps = MenuProps & {
  readonly label: string;
  readonly onAction?: (key: string) => void;
  /** The items. */
  readonly children: ReactNode;
};

/** The open menu of a `MenuButton`. It takes the focus, and returns it. */
export function MenuLayer({ trigger, onClose, label, onAction, children }: MenuLayerProps): ReactElement {
  const { locale } = useWords();
  return (
    <I18nProvider locale={locale}>
      <Popover
        isOpen
        triggerRef={trigger}
        onOpenChange={(isOpen) => !isOpen && onClose()}
        className={menu.popover ?? ""}
        placement="bottom end"
        aria-label={label}
      >
        <Menu
          autoFocus="first"
          className={menu.menu ?? ""}
          aria-label={label}
          onClose={onClose}
          onAction={(key) => onAction?.(String(key))}
        >
          {children}
        </Menu>
      </Popover>
    </I18nProvider>
  );
}
