import { type ComponentType, type ReactElement, type ReactNode, type RefObject, useRef, useState } from "react";
import { usePreload } from "./use-preload.ts";

/** The props that a menu takes from its button. */
export type MenuProps = { readonly trigger: RefObject<HTMLButtonElement | null>; readonly onClose: () => void };

type MenuButtonProps = {
  readonly label: string;
  readonly className: string;
  /** The menu, loaded with its widgets only when somebody is about to open it. */
  readonly menu: ComponentType<MenuProps>;
  /** Loads the menu before it is opened. */
  readonly preload: () => void;
  readonly children: ReactNode;
};

/** A button that opens a menu. */
export function MenuButton({ label, className, menu: Menu, preload, children }: MenuButtonProps): ReactElement {
  const trigger = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  usePreload(preload);
  return (
    <>
      <button
        type="button"
        ref={trigger}
        className={className}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onClick={() => setOpen(true)}
        onPointerEnter={preload}
        onFocus={preload}
      >
        {children}
      </button>
      {isOpen && <Menu trigger={trigger} onClose={() => setOpen(false)} />}
    </>
  );
}
