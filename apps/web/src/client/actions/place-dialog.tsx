import type { ReactElement } from "react";
import { Heading } from "react-aria-components";
import { useWords } from "../app/words.tsx";
import dialog from "../parts/dialog.module.css";
import { Modal } from "../parts/modal.tsx";
import type { NewPlace } from "./create.ts";
import { DestinationPicker } from "./destination-picker.tsx";

type PlaceDialogProps = { readonly onPick: (place: NewPlace) => void; readonly onClose: () => void };

/** Asks where a new document goes. */
export function PlaceDialog({ onPick, onClose }: PlaceDialogProps): ReactElement {
  const { messages } = useWords();
  return (
    <Modal label={messages.newDocument} onClose={onClose}>
      <Heading slot="title" level={2} className={dialog.heading ?? ""}>
        {messages.newDocument}
      </Heading>
      <DestinationPicker
        label={messages.createPrompt}
        onPick={(place) => {
          onClose();
          onPick(place);
        }}
      />
    </Modal>
  );
}
