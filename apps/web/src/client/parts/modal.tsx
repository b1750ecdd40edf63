import type { ReactElement, ReactNode } from "react";
import { Modal as AriaModal, Dialog, I18nProvider, ModalOverlay } from "react-aria-components";
import { useWords } from "../app/words.tsx";
import dialog from "./dialog.module.css";

type ModalProps = {
  /** The name of the dialog. */
  readonly label: string;
  /** `panel` stands in the middle of the window, `drawer` at its side. */
  readonly shape?: "panel" | "drawer";
  readonly className?: string | undefined;
  readonly onClose: () => void;
  readonly children: ReactNode;
};

/** A dialog in front of the page. Escape and a press beside it close it; the focus goes back to where it was. */
export function Modal({ label, shape = "panel", className, onClose, children }: ModalProps): ReactElement {
  const { locale } = useWords();
  return (
    <I18nProvider locale={locale}>
      <ModalOverlay
        isOpen
        isDismissable
        onOpenChange={(isOpen) => !isOpen && onClose()}
        className={dialog.overlay ?? ""}
      >
        <AriaModal className={dialog[shape] ?? ""} data-scroll-area>
          <Dialog aria-label={label} className={className ?? dialog.content ?? ""}>
            {children}
          </Dialog>
        </AriaModal>
      </ModalOverlay>
    </I18nProvider>
  );
}
