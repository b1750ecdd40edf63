import type { ReactElement } from "react";
import { Button } from "react-aria-components";
import dialog from "../parts/dialog.module.css";
import { Icon } from "../parts/icon.tsx";
import { Modal } from "../parts/modal.tsx";
import { Navigation } from "./navigation.tsx";
import { useWords } from "./words.tsx";

/** The navigation of narrow screens, in front of the page. */
export function NavigationDialog({ onClose }: { readonly onClose: () => void }): ReactElement {
  const { messages } = useWords();
  return (
    <Modal label={messages.navigation} shape="drawer" className={dialog.navigation} onClose={onClose}>
      <Button slot="close" className="button" aria-label={messages.closeNavigation}>
        <Icon name="close" />
      </Button>
      <nav aria-label={messages.navigation}>
        <Navigation />
      </nav>
    </Modal>
  );
}
