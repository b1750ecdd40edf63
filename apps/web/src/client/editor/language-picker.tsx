import type { EditorView } from "prosemirror-view";
import { type ReactElement, useEffect, useLayoutEffect, useRef, useState } from "react";
import type { CodeWords } from "../../messages/code/index.ts";
import { takeTypedAhead } from "../app/typed-ahead.tsx";
import { Icon } from "../parts/icon.tsx";
import { Modal } from "../parts/modal.tsx";
import { Picker } from "../parts/picker.tsx";
import { PickerItem } from "../parts/picker-item.tsx";
import { type CodeAt, codeIn } from "./code-around.ts";
import { languageChoices } from "./language-choices.ts";
import type { TrackedPlace } from "./tracked-places.ts";

export type LanguagePickerProps = {
  readonly view: EditorView;
  /** The block of code, wherever it moves while others write. */
  readonly place: TrackedPlace;
  readonly words: CodeWords;
  readonly onClose: () => void;
};

/** Stands before what an entry chooses, which may be nothing. */
const sign = ":";

/** A field that says in which language a block of code is: one whose code is coloured, or any other. */
export function LanguagePicker({ view, place, words, onClose }: LanguagePickerProps): ReactElement {
  const [before] = useState(() => String(codeAt(view, place)?.node.attrs.language ?? ""));
  const [typed, setTyped] = useState(before);
  const ahead = useRef("");
  useLayoutEffect(() => {
    ahead.current = takeTypedAhead();
    if (ahead.current !== "") setTyped(ahead.current);
  }, []);
  useEffect(() => {
    // The next letter takes the place of the language, but follows those that were typed while this was loaded.
    if (ahead.current === "" && document.activeElement instanceof HTMLInputElement) document.activeElement.select();
  }, []);
  const isPicked = useRef(false);
  const pick = (key: string): void => {
    setLanguage(view, place, key.slice(sign.length));
    isPicked.current = true;
    onClose();
  };
  useEffect(
    () => () => {
      // In the frame after this one, because the dialog gives the focus back to its button in this one, if others left the button there.
      requestAnimationFrame(() => {
        if (view.isDestroyed || !(isPicked.current || document.activeElement === document.body)) return;
        view.focus();
      });
    },
    [view],
  );
  return (
    <Modal label={words.language} onClose={onClose}>
      <Picker
        label={words.language}
        listLabel={words.languages}
        typed={typed}
        onType={setTyped}
        onPick={pick}
        maxLength={200}
        empty={words.noLanguage}
      >
        {languageChoices(before, typed, words).map(({ info, label }) => (
          <PickerItem key={info} id={`${sign}${info}`} name={label} symbol={<Icon name="codeBlock" />} />
        ))}
      </Picker>
    </Modal>
  );
}

/** Changes the language of the block that is still there. */
function setLanguage(view: EditorView, place: TrackedPlace, info: string): void {
  const code = codeAt(view, place);
  const language = info || null;
  if (code === null || code.node.attrs.language === language || !view.editable) return;
  view.dispatch(view.state.tr.setNodeAttribute(code.at, "language", language));
}

function codeAt({ state }: EditorView, place: TrackedPlace): CodeAt | null {
  const { from, to } = place.now() ?? { from: 0, to: 0 };
  return to > from ? codeIn(state.doc, from + 1) : null;
}
