import { type EditorState, NodeSelection } from "prosemirror-state";
import type { EditorView } from "prosemirror-view";
import { type ReactElement, useEffect, useRef, useState } from "react";
import { loadMessages } from "../../messages/index.ts";
import type { InsertWords } from "../../messages/insert/index.ts";
import { failureText } from "../actions/failure-text.ts";
import { call } from "../api/call.ts";
import { Failure } from "../api/failure.ts";
import { boot } from "../app/boot.ts";
import { notify } from "../app/notices.ts";
import { composed } from "./composed.ts";
import styles from "./editor.module.css";
import { type TrackedPlace, trackPlace } from "./tracked-places.ts";

type CopyWords = InsertWords["picture"]["copy"];

type CopyPictureProps = {
  readonly view: EditorView;
  readonly documentId: string;
  /** The address of the selected picture. */
  readonly src: string;
  readonly words: CopyWords;
};

/** Returns whether a picture is on another site, and can be copied into the files of a document here. */
export function canCopy(view: EditorView, src: string): boolean {
  const isElsewhere = /^https?:\/\//i.test(src) && URL.canParse(src) && new URL(src).origin !== location.origin;
  return isElsewhere && view.editable && boot().app.limits.maxUploadSize !== null;
}

/** A button that makes the selected picture a file of the document, so that its page needs no other site. */
export function CopyPicture({ view, documentId, src, words }: CopyPictureProps): ReactElement {
  const [isCopying, setCopying] = useState(false);
  const [failure, setFailure] = useState<string>();
  const isShown = useRef(true);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  const run = async (): Promise<void> => {
    if (isCopying) return;
    setCopying(true);
    setFailure(undefined);
    const text = await copyPicture(view, documentId, src, words);
    setCopying(false);
    if (text === undefined) notify({ text: words.done });
    else if (isShown.current) setFailure(text);
    else notify({ text, isFailure: true });
  };
  return (
    <>
      <button type="button" className="button" aria-disabled={isCopying} onClick={() => void run()}>
        {words.button}
      </button>
      <p role="status" className={styles.said}>
        {isCopying && words.copying}
      </p>
      {failure !== undefined && (
        <p role="alert" className={styles.refused}>
          {failure}
        </p>
      )}
    </>
  );
}

/** Copies the selected picture and puts the copy in its place. Returns the reason if that did not work. */
async function copyPicture(
  view: EditorView,
  documentId: string,
  src: string,
  words: CopyWords,
): Promise<string | undefined> {
  const { from, to } = view.state.selection;
  const place = trackPlace(view, from, to);
  try {
    const { id, url } = await call("attachments.copy", { url: src, documentId });
    await composed(view);
    const obstacle = setAddress(view, place, src, url);
    if (obstacle === undefined) return undefined;
    await removeCopy(id);
    return words[obstacle];
  } catch (error) {
    return reasonOf(error, words) ?? failureText(error, await loadMessages(boot().locale));
  } finally {
    place.end();
  }
}

/** Deletes a copy that no text uses, so that it does not count as one of the files. */
async function removeCopy(id: string): Promise<void> {
  // A writer who has lost the right to edit cannot delete the file either.
  await call("attachments.delete", { id }).catch(() => {});
}

/** Gives a picture that still has its address another one, which one undo takes back. Returns what prevents that. */
function setAddress(
  view: EditorView,
  place: TrackedPlace,
  before: string,
  src: string,
): "gone" | "readOnly" | "changed" | undefined {
  if (view.isDestroyed) return "gone";
  if (!view.editable) return "readOnly";
  const at = place.now()?.from;
  if (at === undefined || addressAt(view.state, at) !== before) return "changed";
  const tr = view.state.tr.setNodeAttribute(at, "src", src);
  const { selection } = view.state;
  if (selection instanceof NodeSelection && selection.from === at) tr.setSelection(NodeSelection.create(tr.doc, at));
  view.dispatch(tr);
  return undefined;
}

function addressAt({ doc }: EditorState, position: number): unknown {
  const node = doc.nodeAt(position);
  return node?.type.name === "image" ? node.attrs.src : undefined;
}

/** Returns why a picture was not copied; undefined for a reason that other actions have too. */
function reasonOf(error: unknown, words: CopyWords): string | undefined {
  if (!(error instanceof Failure)) return undefined;
  const { code, details } = error;
  if (code === "unsupported_media_type") return words.noPicture;
  if (code === "payload_too_large") return details.some(({ path }) => path === "quota") ? undefined : words.tooLarge;
  switch (details[0]?.reason) {
    case undefined:
      return undefined;
    case "refused":
      return words.notPublic;
    case "timeout":
      return words.tooSlow;
    default:
      return words.notGiven;
  }
}
