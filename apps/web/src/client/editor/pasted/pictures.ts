import { Fragment, Slice } from "prosemirror-model";
import type { EditorView } from "prosemirror-view";
import { schema } from "../schema.ts";
import type { UploadActions } from "../upload-state.ts";
import { upload } from "../uploads.ts";
import { all } from "./elements.ts";

/** Files, and their offset in pasted content. */
type Placed = { readonly files: readonly File[]; readonly offset: number };

/** The number of a picture between two code points that no text has. */
const mark = /\uFDD0(\d+)\uFDD1/g;
const data = /^data:(image\/(?:png|jpeg|gif|webp));base64,/i;

/** The pictures of the HTML that was read last, until `uploadPictures` has taken them. */
let marked: readonly File[] = [];

/** Marks the places of pictures that are in the HTML itself, as mail programs paste them. Removes those that no upload takes. */
export function markPictures(root: Element): void {
  const files: File[] = [];
  const addresses = "img[src^='data:' i]:not([aria-roledescription], .emoji, .g-emoji, [data-stringify-type=emoji])";
  for (const picture of all(root, addresses)) {
    const file = fileOf(picture.getAttribute("src") ?? "");
    if (file === null) picture.remove();
    else picture.replaceWith(`\uFDD0${files.push(file) - 1}\uFDD1`);
  }
  marked = files;
}

/** Returns the content without the marks, and uploads the pictures to their places once it is in the text. */
export function uploadPictures(slice: Slice, view: EditorView, actions: UploadActions): Slice {
  if (marked.length === 0) return slice;
  const placed: Placed[] = [];
  const content = withoutMarks(slice.content, 0, placed);
  marked = [];
  queueMicrotask(() => {
    if (view.isDestroyed) return;
    const { selection, doc } = view.state;
    const start = selection.to - (content.size - slice.openEnd);
    for (const { files, offset } of placed) {
      const position = Math.min(Math.max(start + offset, 0), doc.content.size);
      void upload(view, files, position, actions);
    }
  });
  return new Slice(content, slice.openStart, slice.openEnd);
}

/** Copies content without the marks, and adds the files that they stand for. `start` is its own offset. */
function withoutMarks(content: Fragment, start: number, placed: Placed[]): Fragment {
  let kept = Fragment.empty;
  content.forEach((node) => {
    const offset = start + kept.size;
    if (!node.isText) {
      kept = kept.addToEnd(node.copy(withoutMarks(node.content, offset + 1, placed)));
      return;
    }
    const { text = "", marks } = node;
    const files = [...text.matchAll(mark)].map(([, index]) => marked[Number(index)]);
    const others = text.replace(mark, "");
    const found = files.filter((file) => file !== undefined);
    if (found.length > 0) placed.push({ files: found, offset: offset + text.search(mark) });
    if (others !== "") kept = kept.append(Fragment.from(schema.text(others, marks)));
  });
  return kept;
}

/** Returns the picture of an address; null where it has another format, or is damaged. */
function fileOf(address: string): File | null {
  const [prefix = "", type = ""] = data.exec(address) ?? [];
  if (prefix === "") return null;
  try {
    const bytes = Uint8Array.from(atob(address.slice(prefix.length)), (letter) => letter.charCodeAt(0));
    const format = type.slice("image/".length).toLowerCase();
    return new File([bytes], `image.${format}`, { type: type.toLowerCase() });
  } catch {
    return null;
  }
}
