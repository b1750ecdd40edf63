import type { Node } from "prosemirror-model";
import { Plugin } from "prosemirror-state";
import { Decoration, DecorationSet, type EditorView } from "prosemirror-view";
import { part } from "./part.ts";
import { trackPlace } from "./tracked-places.ts";
import {
  type UploadChange as Change,
  uploadKey as key,
  type PlacedUpload,
  type UploadActions,
  type Uploads,
} from "./upload-state.ts";

const none: Uploads = { placed: [], shown: DecorationSet.empty };
const sending = part(() => import("./upload-files.ts"));

/** Loads what sends files before somebody has one. */
export const loadUploads = (): void => void sending.load().catch(() => undefined);

/** Uploads files to a place in the text, which moves with what is written meanwhile. */
export async function upload(
  view: EditorView,
  files: readonly File[],
  position: number,
  actions: UploadActions,
): Promise<void> {
  const place = trackPlace(view, position);
  try {
    const { uploadFiles } = await sending.load();
    if (!view.isDestroyed) await uploadFiles(view, files, place, actions);
  } catch (error) {
    actions.sayMissing(error);
  } finally {
    place.end();
  }
}

/** Takes files that are dropped or pasted, and shows those on their way where they will be. */
export function uploading(actions: UploadActions): Plugin {
  return new Plugin<Uploads>({
    key,
    state: {
      init: () => none,
      apply: (transaction, known) => {
        const change: Change | undefined = transaction.getMeta(key);
        if (change === undefined && (!transaction.docChanged || known.placed.length === 0)) return known;
        const mapped = known.placed.map((each) => ({
          ...each,
          position: transaction.mapping.map(each.position, -1),
        }));
        return shownIn(transaction.doc, change === undefined ? mapped : change(mapped));
      },
    },
    props: {
      decorations: (state) => key.getState(state)?.shown,
      handlePaste: (view, { clipboardData }) => {
        const files = pastedFiles(clipboardData);
        if (files.length === 0) return false;
        void upload(view, files, view.state.selection.from, actions);
        return true;
      },
      handleDrop: (view, event, _slice, isMoved) => {
        const files = isMoved ? [] : droppedFiles(event.dataTransfer);
        if (files.length === 0) return false;
        event.preventDefault();
        const at = view.posAtCoords({ left: event.clientX, top: event.clientY });
        void upload(view, files, at?.pos ?? view.state.doc.content.size, actions);
        return true;
      },
    },
    view: () => {
      // A file that misses the text would take the place of the page.
      const keepPage = (event: DragEvent): void => {
        if (event.dataTransfer?.types.includes("Files") === true) event.preventDefault();
      };
      addEventListener("dragover", keepPage);
      addEventListener("drop", keepPage);
      return {
        destroy: () => {
          removeEventListener("dragover", keepPage);
          removeEventListener("drop", keepPage);
          for (const { remove } of actions.uploads.list) remove();
        },
      };
    },
  });
}

function shownIn(doc: Node, placed: readonly PlacedUpload[]): Uploads {
  const widgets = placed.map(({ id, position, element }) =>
    // Not beside the caret, where input methods would write twice.
    Decoration.widget(behindBlock(doc, position), element, { key: id, side: 1, ignoreSelection: true }),
  );
  return { placed, shown: DecorationSet.create(doc, widgets) };
}

function behindBlock(doc: Node, position: number): number {
  const $position = doc.resolve(position);
  return $position.parent.isTextblock ? $position.after() : position;
}

/** Returns the files of a paste. Leaves out the picture that office programs add of a copied text. */
export function pastedFiles(data: DataTransfer | null): readonly File[] {
  if (data === null || data.files.length === 0) return [];
  const html = data.getData("text/html");
  return html === "" || isOnePicture(html) ? [...data.files] : [];
}

const isOnePicture = (html: string): boolean =>
  html.match(/<img\b/gi)?.length === 1 && html.replace(/<!--.*?-->|<style\b.*?<\/style>|<[^>]*>/gis, "").trim() === "";

/** Returns the files of a drop, without folders. */
function droppedFiles(data: DataTransfer | null): readonly File[] {
  const items = [...(data?.items ?? [])].filter(({ kind }) => kind === "file");
  return items.flatMap((item) => {
    const file = item.webkitGetAsEntry()?.isDirectory === true ? null : item.getAsFile();
    return file === null ? [] : [file];
  });
}
