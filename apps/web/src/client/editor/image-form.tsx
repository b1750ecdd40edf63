import type { Node } from "prosemirror-model";
import { NodeSelection } from "prosemirror-state";
import type { EditorView } from "prosemirror-view";
import {
  type ComponentProps,
  type ComponentType,
  type FormEvent,
  type ReactElement,
  useEffect,
  useId,
  useRef,
  useState,
} from "react";
import { type InsertWords, loadInsertWords } from "../../messages/insert/index.ts";
import { boot } from "../app/boot.ts";
import { allowedAttributes } from "./attributes.ts";
import { CopyPicture, canCopy } from "./copy-picture.tsx";
import styles from "./editor.module.css";
import { schema } from "./schema.ts";
import { useEditorState } from "./use-editor-state.ts";

type ImageFormProps = {
  readonly view: EditorView;
  readonly documentId: string;
  /** Whether the writer asked for the description. */
  readonly isAsked: boolean;
  readonly onClose: () => void;
};

/** Loads the form of a picture, with its words in the language of the reader. */
export async function loadImageForm(): Promise<ComponentType<ImageFormProps>> {
  const { picture: words } = await loadInsertWords(boot().locale);
  return (props) => <FormOfPicture {...props} words={words} />;
}

type WithWords = ImageFormProps & { readonly words: InsertWords["picture"] };

/** Keeps the form while others move the picture or change it, and begins another one with another picture. */
function FormOfPicture(props: WithWords): ReactElement {
  const [read] = useState(pictureReader);
  const { number, ...now } = useEditorState(props.view, read);
  return <ImageForm key={number} {...props} now={now} />;
}

/** Fields for what the selected picture shows, for those who cannot see it, and for its address. */
function ImageForm({
  view,
  documentId,
  isAsked,
  onClose,
  words,
  now,
}: WithWords & { readonly now: Picture }): ReactElement {
  const [{ alt, src }, write] = useWanted(now);
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
    const wanted = { alt: alt.trim(), src: src.trim() };
    if (wanted.src !== now.src && !isPictureAddress(wanted.src)) {
      setRefused(true);
      address.current?.focus();
      return;
    }
    change(view, now, wanted);
    write(wanted);
    onClose();
    view.focus();
  };
  return (
    <form className={styles.link} onSubmit={submit}>
      <Field
        label={words.alt}
        ref={description}
        value={alt}
        dir="auto"
        maxLength={1_000}
        onType={(typed) => write({ alt: typed, src })}
      />
      <Field
        label={words.address}
        ref={address}
        value={src}
        dir="ltr"
        inputMode="url"
        spellCheck={false}
        autoComplete="off"
        maxLength={2_000}
        aria-invalid={isRefused}
        aria-describedby={noteId}
        onType={(typed) => {
          write({ alt, src: typed });
          setRefused(false);
        }}
      />
      <button type="submit" className="button">
        {words.apply}
      </button>
      {src.trim() === now.src && canCopy(view, now.src) && (
        <CopyPicture view={view} documentId={documentId} src={now.src} words={words.copy} />
      )}
      {isRefused ? (
        <p id={noteId} role="alert" className={styles.refused}>
          {words.refused}
        </p>
      ) : (
        <p id={noteId} role="status" className={styles.said}>
          {isOfThisSite(src.trim()) && words.ofThisSite}
        </p>
      )}
    </form>
  );
}

type FieldProps = Omit<ComponentProps<"input">, "onChange"> & {
  readonly label: string;
  readonly onType: (typed: string) => void;
};

function Field({ label, onType, ...input }: FieldProps): ReactElement {
  return (
    <label>
      {label} <input {...input} onChange={({ target }) => onType(target.value)} />
    </label>
  );
}

type Picture = { readonly alt: string; readonly src: string };

/**
 * Returns a function that reads the selected picture, with a number that stays the same while the picture has its place or its
 * content. Without a selected picture it returns the last one.
 */
function pictureReader(): (view: EditorView) => Picture & { readonly number: number } {
  let known: Node | undefined;
  let place = -1;
  let number = 0;
  return ({ state: { selection } }) => {
    if (selection instanceof NodeSelection && selection.node.type.name === "image") {
      if (selection.node !== known && selection.from !== place) number += 1;
      known = selection.node;
      place = selection.from;
    }
    const { alt, src } = known?.attrs ?? {};
    return { alt: String(alt ?? ""), src: String(src ?? ""), number };
  };
}

/** Returns what the writer wants of a picture: a field that they have not changed follows the picture. */
function useWanted(now: Picture): [Picture, (wanted: Picture) => void] {
  const [before, setBefore] = useState(now);
  const [wanted, write] = useState(now);
  if (before.alt !== now.alt || before.src !== now.src) {
    const follow = (name: keyof Picture): string => (wanted[name] === before[name] ? now[name] : wanted[name]);
    setBefore(now);
    write({ alt: follow("alt"), src: follow("src") });
  }
  return [wanted, write];
}

/** Returns whether pages show what is at an address as a picture: one of the web, or of this site. */
function isPictureAddress(src: string): boolean {
  if (src === "" || /\s/.test(src) || !URL.canParse(src, location.origin)) return false;
  const isWeb = /^https?:$/.test(new URL(src, location.origin).protocol);
  return isWeb && allowedAttributes(schema.nodes.image?.spec.attrs, { src }) !== false;
}

/** Returns whether an address without a scheme leads to this site, though it may be meant to begin with the name of another. */
const isOfThisSite = (src: string): boolean => !/^[/#?.]/.test(src) && !URL.canParse(src) && isPictureAddress(src);

/** Sets what the writer changed of the selected picture, which one undo takes back. */
function change(view: EditorView, before: Picture, wanted: Picture): void {
  const { selection, tr } = view.state;
  if (!view.editable || !(selection instanceof NodeSelection) || selection.node.type.name !== "image") return;
  if (wanted.src !== before.src) tr.setNodeAttribute(selection.from, "src", wanted.src);
  if (wanted.alt !== before.alt) tr.setNodeAttribute(selection.from, "alt", wanted.alt === "" ? null : wanted.alt);
  view.dispatch(tr.setSelection(NodeSelection.create(tr.doc, selection.from)));
}
