import { useQuery } from "@tanstack/react-query";
import type { EditorView } from "prosemirror-view";
import { type ReactElement, useDeferredValue, useEffect, useLayoutEffect, useRef, useState } from "react";
import { isAnswered, suggestQuery } from "../api/queries.ts";
import { takeTypedAhead } from "../app/typed-ahead.tsx";
import { useWords } from "../app/words.tsx";
import { DocumentItem } from "../parts/document-item.tsx";
import { Icon } from "../parts/icon.tsx";
import { Modal } from "../parts/modal.tsx";
import { Picker } from "../parts/picker.tsx";
import { PickerItem } from "../parts/picker-item.tsx";
import { linkOf, setLink } from "./commands.ts";
import { addressIn } from "./own-documents.ts";

export { pasteDocument } from "./own-documents.ts";

const addressKey = "address";
const removeKey = "remove";

type LinkPickerProps = { readonly view: EditorView; readonly onClose: () => void };

/** A field that links the selected text, or inserts a link at the caret: to a document by its title, or to an address. */
export function LinkPicker({ view, onClose }: LinkPickerProps): ReactElement {
  const { messages } = useWords();
  const [before] = useState(() => linkOf(view.state));
  const [typed, setTyped] = useState(before);
  const wanted = useDeferredValue(typed.trim());
  const address = addressIn(wanted);
  const query = /^(?:[a-z]+:|[/#])/i.test(wanted) ? "" : wanted;
  const titles = useQuery(suggestQuery(query));
  const found = query === "" ? [] : (titles.data ?? []);
  const ahead = useRef("");
  useLayoutEffect(() => {
    ahead.current = takeTypedAhead();
    if (ahead.current !== "") setTyped(ahead.current);
  }, []);
  useEffect(() => {
    // The next letter takes the place of the address, but follows the letters that were typed while this was loaded.
    if (ahead.current === "" && document.activeElement instanceof HTMLInputElement) document.activeElement.select();
  }, []);
  const pick = (key: string): void => {
    const document = found.find(({ id }) => id === key);
    const command =
      document === undefined
        ? setLink(key === addressKey ? (address ?? "") : "")
        : setLink(`/documents/${document.id}`, document.title || messages.untitled);
    onClose();
    command(view.state, view.dispatch);
    view.focus();
  };
  return (
    <Modal label={messages.toolLink} onClose={onClose}>
      <Picker
        label={messages.linkAddress}
        listLabel={messages.linkTargets}
        typed={typed}
        onType={setTyped}
        onPick={pick}
        maxLength={2_000}
        isAnswered={typed.trim() === wanted && isAnswered(titles)}
        empty={wanted === "" ? messages.linkHelp : messages.linkRefused}
      >
        {found.map((document) => (
          <DocumentItem key={document.id} document={document} />
        ))}
        {address !== null && (
          <PickerItem id={addressKey} name={messages.linkTo(address)} symbol={<Icon name="link" />} />
        )}
        {before !== "" && <PickerItem id={removeKey} name={messages.linkRemove} symbol={<Icon name="trash" />} />}
      </Picker>
    </Modal>
  );
}
