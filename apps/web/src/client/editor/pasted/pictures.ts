import type { EditorView } from "prosemirror-view";
import { newUuid } from "../new-uuid.ts";
import { type TrackedPlace, trackPlace } from "../tracked-places.ts";
import type { UploadActions } from "../upload-state.ts";
import { all, create } from "./elements.ts";

/** Pictures of one paste that are uploaded, and characters of all their addresses, at most: 75 MB. */
const mostPictures = 50;
const mostCharacters = 100_000_000;
const addresses = "img[src^='data:' i]:not([aria-roledescription], .emoji, .g-emoji, [data-stringify-type=emoji])";
const format = /^data:(image\/(?:png|jpe?g|gif|webp|avif));base64,/i;
/** The name of a picture between two code points that text hardly has. */
const mark = /\uFDD0[\w-]+\uFDD1/g;

/** The pictures of the HTML that was read last, by their marks, until `uploadPictures` takes them. */
let marked: ReadonlyMap<string, File> = new Map();

/** Marks the places of pictures that are in the HTML itself, as mail programs paste them. Removes those that no upload takes. */
export function markPictures(root: Element): void {
  const files = new Map<string, File>();
  const key = newUuid();
  let characters = 0;
  for (const picture of all(root, addresses)) {
    const address = picture.getAttribute("src") ?? "";
    characters += address.length;
    const isTaken = files.size < mostPictures && characters <= mostCharacters && picture.closest("summary") === null;
    const file = isTaken ? fileOf(address) : null;
    const name = `\uFDD0${key}-${files.size}\uFDD1`;
    if (file === null) picture.remove();
    else if (picture.closest("td, th, pre, h1, h2, h3, h4, h5, h6") !== null) picture.replaceWith(name);
    else {
      // A picture has a paragraph of its own, and the breaks beside it say nothing.
      const place = create(picture, "div");
      place.textContent = name;
      picture.replaceWith(place);
    }
    if (file !== null) files.set(name, file);
  }
  marked = files;
}

/** Uploads the pictures of what is pasted to the places of their marks. A paste that inserts none of these uploads nothing. */
export function uploadPictures(view: EditorView, actions: UploadActions): void {
  const files = marked;
  marked = new Map();
  if (files.size > 0) queueMicrotask(() => void upload(view, files, actions));
}

async function upload(view: EditorView, files: ReadonlyMap<string, File>, actions: UploadActions): Promise<void> {
  if (view.isDestroyed) return;
  const pictures = takeMarks(view, files);
  try {
    const { uploadFiles } = await import("../upload-files.ts");
    for (const { file, place } of pictures) {
      const { from, to } = place.now() ?? { from: 0, to: 0 };
      // The paste was undone, or its place deleted.
      if (view.isDestroyed || from === to) continue;
      await uploadFiles(view, [file], insideOf(place), actions);
    }
  } catch (error) {
    actions.sayMissing(error);
  } finally {
    for (const { place } of pictures) place.end();
  }
}

type Placed = { readonly file: File; readonly place: TrackedPlace };

/** Deletes the marks from the text. Returns the files that they stand for, with a range around the place of each. */
function takeMarks(view: EditorView, files: ReadonlyMap<string, File>): readonly Placed[] {
  const { tr, doc } = view.state;
  const found: { readonly file: File; readonly from: number; readonly to: number }[] = [];
  doc.descendants(({ text = "" }, position) => {
    for (const { 0: name, index } of text.matchAll(mark)) {
      const file = files.get(name);
      if (file !== undefined) found.push({ file, from: position + index, to: position + index + name.length });
    }
  });
  if (found.length === 0) return [];
  for (const { from, to } of found.toReversed()) tr.delete(from, to);
  view.dispatch(tr.setMeta("addToHistory", false));
  return found.map(({ file, from }) => {
    const position = tr.mapping.map(from);
    return { file, place: trackPlace(view, position - 1, position + 1) };
  });
}

const insideOf = (around: TrackedPlace): TrackedPlace => ({
  now: () => {
    const range = around.now();
    return range === null ? null : { from: range.from + 1, to: range.from + 1 };
  },
  end: around.end,
});

/** Returns the picture of an address; null where it has another format, or is damaged. */
function fileOf(address: string): File | null {
  const [prefix = "", type = ""] = format.exec(address) ?? [];
  if (prefix === "") return null;
  try {
    const text = atob(address.slice(prefix.length));
    const bytes = new Uint8Array(text.length);
    for (let index = 0; index < text.length; index++) bytes[index] = text.charCodeAt(index);
    const contentType = type.toLowerCase().replace("jpg", "jpeg");
    return new File([bytes], `image.${contentType.slice("image/".length)}`, { type: contentType });
  } catch {
    return null;
  }
}
