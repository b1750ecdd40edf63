import type { Node as NoteNode } from "prosemirror-model";
import type { EditorView } from "prosemirror-view";
import { type ReactElement, useEffect, useLayoutEffect, useRef } from "react";
import { useWords } from "../app/words.tsx";
import styles from "./beside-text.module.css";
import { loadFootnotes } from "./footnote-keys.ts";
import { cameTo, findNote, goBack, goToNote, type Reference, selectedReference } from "./footnotes.ts";
import { placeBeside } from "./place-beside.ts";
import { useEditorState } from "./use-editor-state.ts";
import { useReferenceUnderMouse } from "./use-reference.ts";

/** The content beside the text: the footnote of a reference, or the way back from a footnote. */
type Shown =
  | {
      readonly kind: "note";
      readonly reference: Reference;
      readonly note: number;
      readonly text: string;
      readonly isSelected: boolean;
    }
  | { readonly kind: "missing"; readonly reference: Reference; readonly isSelected: boolean }
  | { readonly kind: "back"; readonly at: number };

function readShown(view: EditorView, pointed: Reference | null): Shown | null {
  const selected = selectedReference(view.state);
  const reference = selected ?? pointed;
  if (reference === null) {
    const at = cameTo(view);
    return at === null ? null : { kind: "back", at };
  }
  const isSelected = selected !== null;
  const found = findNote(view.state.doc, reference.label);
  return found === null
    ? { kind: "missing", reference, isSelected }
    : { kind: "note", reference, note: found.at, text: textOf(found.note), isSelected };
}

/**
 * Shows the footnote of a reference that is selected, and says it, or of the one under the mouse. Its button is for the mouse and for
 * fingers: Enter goes to the footnote, and Escape back.
 */
export function NotePopover({ view }: { readonly view: EditorView }): ReactElement {
  const { messages } = useWords();
  const pointed = useReferenceUnderMouse(view);
  const shown = useEditorState(view, () => readShown(view, pointed.read()));
  const element = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  useEffect(loadFootnotes, []);
  useLayoutEffect(() => {
    if (shown === null || element.current === null) return;
    if (shown.kind === "note") content.current?.replaceChildren(...copyOfNote(view, shown.note));
    placeBeside(element.current, view, shown.kind === "back" ? shown.at + 1 : shown.reference.at);
  }, [view, shown]);
  const isSaid = shown !== null && shown.kind !== "back" && shown.isSelected;
  const go = (): void => {
    pointed.forget();
    if (shown?.kind === "note") goToNote(view, shown.reference);
    else goBack(view);
    view.focus();
  };
  return (
    <>
      <p role="status" className="visually-hidden">
        {isSaid && shown.kind === "note" && messages.noteSaid(shown.reference.label, shown.text)}
        {isSaid && shown.kind === "missing" && messages.noteMissing(shown.reference.label)}
      </p>
      {shown !== null && (
        <div
          ref={element}
          className={styles.note}
          data-note-popover
          aria-hidden="true"
          // The text keeps its focus and its selection.
          onMouseDown={(event) => event.preventDefault()}
        >
          {shown.kind === "missing" && messages.noteMissing(shown.reference.label)}
          {shown.kind === "note" && (
            // It scrolls under the mouse; an inert element does not.
            <div className={styles.noteText} tabIndex={-1}>
              <div ref={content} className="prose" dir="auto" inert />
            </div>
          )}
          {shown.kind !== "missing" && (
            <button type="button" tabIndex={-1} className="button" onClick={go}>
              {shown.kind === "note" ? messages.noteOpen : messages.noteBack}
            </button>
          )}
        </div>
      )}
    </>
  );
}

const textOf = ({ content }: NoteNode): string => content.textBetween(0, content.size, " ");

/** The elements of a footnote, as the text shows them. */
function copyOfNote(view: EditorView, at: number): Node[] {
  const dom = view.nodeDOM(at);
  const content = dom instanceof HTMLElement ? dom.querySelector(".content")?.cloneNode(true) : undefined;
  return [...(content?.childNodes ?? [])];
}
