import { NodeSelection } from "prosemirror-state";
import type { EditorView } from "prosemirror-view";
import { type FormEvent, type ReactElement, useEffect, useRef, useState } from "react";
import { useWords } from "../app/words.tsx";
import styles from "./editor.module.css";

type ImageFormProps = {
  readonly view: EditorView;
  /** The description that the selected picture has. */
  readonly alt: string;
  /** Whether the writer asked for the field. */
  readonly isAsked: boolean;
  readonly onClose: () => void;
};

/** A field for what the selected picture shows, for those who cannot see it. */
export function ImageForm({ view, alt, isAsked, onClose }: ImageFormProps): ReactElement {
  const { messages } = useWords();
  const [text, setText] = useState(alt);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (isAsked) field.current?.focus();
  }, [isAsked]);
  useEffect(() => onClose, [onClose]);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const { selection, tr } = view.state;
    if (!(selection instanceof NodeSelection) || selection.node.type.name !== "image") return;
    tr.setNodeAttribute(selection.from, "alt", text.trim() === "" ? null : text.trim());
    view.dispatch(tr.setSelection(NodeSelection.create(tr.doc, selection.from)));
    onClose();
    view.focus();
  };
  return (
    <form className={styles.link} onSubmit={submit}>
      <label>
        {messages.imageAlt}{" "}
        <input ref={field} value={text} dir="auto" maxLength={1_000} onChange={({ target }) => setText(target.value)} />
      </label>
      <button type="submit" className="button">
        {messages.imageAltApply}
      </button>
    </form>
  );
}
