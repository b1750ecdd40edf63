import { type ReactElement, type ReactNode, useEffectEvent, useLayoutEffect, useRef } from "react";
import { I18nProvider } from "react-aria-components";
import { createPortal } from "react-dom";
import { useWords } from "../app/words.tsx";
import dialog from "./dialog.module.css";

type PanelDialogProps = {
  /** The name of the dialog. */
  readonly label: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
};

/**
 * A panel in front of the page, which is the browser's own dialog: it opens faster than one of React Aria, which hides the
 * rest of the page itself. Escape and a press beside it close it. Another layer of React Aria would lie behind it.
 */
export function PanelDialog({ label, onClose, children }: PanelDialogProps): ReactElement {
  const { locale } = useWords();
  const element = useRef<HTMLDialogElement>(null);
  const close = useEffectEvent(onClose);
  // Closed while it is still in the page: the browser gives the focus back only then.
  useLayoutEffect(() => {
    const opened = element.current;
    if (opened === null) return undefined;
    opened.showModal();
    const endListening = onPressBeside(opened, () => close());
    return () => {
      endListening();
      opened.close();
    };
  }, []);
  return createPortal(
    <dialog
      ref={element}
      // biome-ignore lint/a11y/noRedundantRoles: every dialog has the attribute, so that one selector finds all layers.
      role="dialog"
      className={dialog.screen}
      data-react-aria-top-layer
      aria-label={label}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <div className={dialog.panel}>
        <I18nProvider locale={locale}>{children}</I18nProvider>
      </div>
    </dialog>,
    document.body,
  );
}

/** Calls a function after a press that began and ended on an element itself, and not on what is in it. */
function onPressBeside(element: HTMLElement, run: () => void): () => void {
  let isBeside = false;
  const begin = ({ target }: Event): void => {
    isBeside = target === element;
  };
  const end = ({ target }: Event): void => {
    if (isBeside && target === element) run();
  };
  element.addEventListener("pointerdown", begin);
  element.addEventListener("click", end);
  return () => {
    element.removeEventListener("pointerdown", begin);
    element.removeEventListener("click", end);
  };
}
