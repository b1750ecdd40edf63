import { type EditorState, NodeSelection } from "prosemirror-state";
import type { EditorView } from "prosemirror-view";
import { type ComponentType, type FormEvent, type ReactElement, useEffect, useId, useRef, useState } from "react";
import { type InsertWords, loadInsertWords } from "../../messages/insert/index.ts";
import { boot } from "../app/boot.ts";
import { allowedAttributes } from "./attributes.ts";
import styles from "./editor.module.css";
import { schema } from "./schema.ts";

type ImageFormProps = {
  readonly view: EditorView;
  /** Whether the writer asked for the description. */
  readonly isAsked: boolean;
  readonly onClose: () => void;
};

/** Loads the form of a picture, with its words in the language of the reader. */
export async function loadImageForm(): Promise<ComponentType<ImageFormProps>> {
  const { picture: words } = await loadInsertWords(boot().locale);
  return (props) => <ImageForm {...props} words={words} />;
}

/** Fields for what the selected picture shows, for those who cannot see it, and for its address. */
function ImageForm({
  view,
  isAsked,
  onClose,
  words,
}: ImageFormProps & { readonly words: InsertWords["picture"] }): ReactElement {
  const [before] = useState(() => pictureOf(view.state));
  const [alt, setAlt] = useState(before.alt);
  const [src, setSrc] = useState(before.src);
  const [isRefused, setRefused] = useState(false);
  const noteId = useId();
  const description = useRef<HTMLInputElement>(null);
  const address = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (isAsked) description.current?.focus();
  }, [isAsked]);
  useEffect(() => onClose, [onClose]);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (src.trim() !== before.src && !isPictureAddress(src.trim())) {
      setRefused(true);
      address.current?.focus();
      return;
    }
    change(view, { alt: alt.trim(), src: src.trim() });
    onClose();
    view.focus();
  };
  return (
    <form className={styles.link} onSubmit={submit}>
      <label>
        {words.alt}{" "}
        <input
          ref={description}
          value={alt}
          dir="auto"
          maxLength={1_000}
          onChange={({ target }) => setAlt(target.value)}
        />
      </label>
      <label>
        {words.address}{" "}
        <input
          ref={address}
          value={src}
          dir="ltr"
          inputMode="url"
          spellCheck={false}
          autoComplete="off"
          maxLength={2_000}
          aria-invalid={isRefused}
          aria-describedby={isRefused ? noteId : undefined}
          onChange={({ target }) => {
            setSrc(target.value);
            setRefused(false);
          }}
        />
      </label>
      <button type="submit" className="button">
        {words.apply}
      </button>
      {isRefused && (
        <p id={noteId} role="alert" className={styles.refused}>
          {words.refused}
        </p>
      )}
    </form>
  );
}

type Picture = { readonly alt: string; readonly src: string };

function pictureOf({ selection }: EditorState): Picture {
  const { alt, src } = selection instanceof NodeSelection ? selection.node.attrs : {};
  return { alt: String(alt ?? ""), src: String(src ?? "") };
}

/** Returns whether pages show what is at an address as a picture: one of the web, or of this site. */
function isPictureAddress(src: string): boolean {
  if (src === "" || /\s/.test(src) || !URL.canParse(src, location.origin)) return false;
  const isWeb = /^https?:$/.test(new URL(src, location.origin).protocol);
  return isWeb && allowedAttributes(schema.nodes.image?.spec.attrs, { src }) !== false;
}

/** Changes the selected picture, which one undo takes back. */
function change(view: EditorView, picture: Picture): void {
  const { selection, tr } = view.state;
  if (!view.editable || !(selection instanceof NodeSelection) || selection.node.type.name !== "image") return;
  const wanted = { src: picture.src, alt: picture.alt === "" ? null : picture.alt };
  for (const [name, value] of Object.entries(wanted)) {
    if (selection.node.attrs[name] !== value) tr.setNodeAttribute(selection.from, name, value);
  }
  view.dispatch(tr.setSelection(NodeSelection.create(tr.doc, selection.from)));
}
