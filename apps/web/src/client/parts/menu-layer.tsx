import { type ReactElement, type ReactNode, useLayoutEffect } from "react";
import { I18nProvider, Menu, Popover, setInteractionModality } from "react-aria-components";
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
  useLayoutEffect(keepKeyboard, []);
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

/**
 * Enter on a plain button is a click, which React Aria takes for one of a screen reader until the key is up: it would put off
 * both the focus of the menu and that of its first entry to the next frame, where the first one cancels the other.
 */
function keepKeyboard(): void {
  if (document.activeElement?.matches(":focus-visible")) setInteractionModality("keyboard");
}
