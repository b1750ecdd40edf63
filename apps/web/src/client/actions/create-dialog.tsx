import type { ReactElement } from "react";
import { Heading } from "react-aria-components";
import { useWords } from "../app/words.tsx";
import dialog from "../parts/dialog.module.css";
import { Modal } from "../parts/modal.tsx";
import { DestinationPicker } from "./destination-picker.tsx";
import { useActions } from "./use-actions.ts";

type CreateDialogProps = { readonly title?: string | undefined; readonly onClose: () => void };

/** Asks where a new document goes. */
export function CreateDialog({ title, onClose }: CreateDialogProps): ReactElement {
  const { messages } = useWords();
  const { create } = useActions();
  return (
    <Modal label={messages.newDocument} onClose={onClose}>
      <Heading slot="title" level={2} className={dialog.heading ?? ""}>
        {messages.newDocument}
      </Heading>
      <DestinationPicker
        label={messages.createPrompt}
        onPick={(place) => {
          onClose();
          void create(place, title);
        }}
      />
    </Modal>
  );
}
