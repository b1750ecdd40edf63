import { useQueryClient } from "@tanstack/react-query";
import { type ReactElement, useState } from "react";
import { Heading } from "react-aria-components";
import { notify } from "../app/notices.ts";
import { useWords } from "../app/words.tsx";
import dialog from "../parts/dialog.module.css";
import { Modal } from "../parts/modal.tsx";
import { isBehindRest, type Level } from "../tree/level-pages.ts";
import { levelKey } from "../tree/level-queries.ts";
import { type Destination, moveDocument } from "../tree/move.ts";
import { openRows } from "../tree/open-rows.ts";
import type { NewPlace } from "./create.ts";
import { DestinationPicker } from "./destination-picker.tsx";
import type { DialogProps } from "./dialog-props.ts";
import { failureText } from "./failure-text.ts";

/** Moves a document by searching for its new place. */
export function MoveDialog({ target, onClose }: DialogProps): ReactElement {
  const { messages } = useWords();
  const queries = useQueryClient();
  const [failure, setFailure] = useState<string>();
  const title = target.title || messages.untitled;
  const undo = (destination: Destination) => async (): Promise<void> => {
    try {
      await moveDocument(queries, target, destination);
    } catch (error) {
      notify({ text: messages.notMoved(title, failureText(error, messages)), isFailure: true });
    }
  };
  const move = async (place: NewPlace): Promise<void> => {
    const before = currentPlace(target, (at) => queries.getQueryData<Level>(levelKey(at)));
    try {
      await moveDocument(queries, target, { ...place, after: null });
    } catch (error) {
      return setFailure(messages.notMoved(title, failureText(error, messages)));
    }
    openRows.open([place.collectionId, ...(place.parentId === null ? [] : [place.parentId])]);
    notify({
      text: messages.moved(title),
      action: before && { label: messages.undo, run: () => void undo(before)() },
    });
    onClose();
  };
  return (
    <Modal label={messages.moveTitle(title)} onClose={onClose}>
      <Heading slot="title" level={2} className={dialog.heading ?? ""}>
        {messages.moveTitle(title)}
      </Heading>
      <DestinationPicker
        label={messages.movePrompt}
        without={target.id}
        home={target.collectionId}
        onPick={(place) => void move(place)}
      />
      {failure !== undefined && (
        <p role="alert" className={dialog.failure}>
          {failure}
        </p>
      )}
      <p className={dialog.hint}>{messages.moveHint}</p>
    </Modal>
  );
}

/** Returns where a document is now, as far as its siblings are loaded. */
function currentPlace(
  { id, collectionId, parentId }: DialogProps["target"],
  levelAt: (place: NewPlace) => Level | undefined,
): Destination | undefined {
  if (collectionId === null) return undefined;
  const level = levelAt({ collectionId, parentId });
  const siblings = level?.data ?? [];
  const index = siblings.findIndex((node) => node.id === id);
  const node = siblings[index];
  return level === undefined || node === undefined || isBehindRest(level, node)
    ? undefined
    : { collectionId, parentId, after: siblings[index - 1]?.id ?? null };
}
