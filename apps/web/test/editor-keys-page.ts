import "../src/client/style/main.css";
import { Selection } from "prosemirror-state";
import { showHandle } from "../src/client/editor/block-handle.ts";
import { findText, replaceMatches } from "../src/client/editor/find-text.ts";
import { type LocalEditor, writeInEditor } from "./editor-shown.ts";

const empty = JSON.stringify({ type: "doc", content: [{ type: "paragraph" }] });
let open: LocalEditor | undefined;
let endHandle = (): void => undefined;

/** Opens a document, as JSON, to be written or only read; the caret is at its end, or at its start. */
export function openText(json = empty, isAtStart = false, canWrite = true): void {
  endHandle();
  open?.end();
  const place = document.createElement("div");
  const around = document.createElement("div");
  around.className = "around";
  around.append(place);
  document.body.replaceChildren(around);
  open = writeInEditor(place, json, canWrite);
  const { view } = open;
  endHandle = showHandle(view, around);
  if (!isAtStart) view.dispatch(view.state.tr.setSelection(Selection.atEnd(view.state.doc)));
  view.focus();
}

const editor = (): LocalEditor => {
  if (open === undefined) throw new Error("No text is open");
  return open;
};

/** Writes a word into one of the blocks, as others do: it waits while an input method writes. `where` is from 0 to 1. */
export function writeAsOther(where: number, word: string): void {
  editor().receive(({ tr, doc }) => {
    const places: number[] = [];
    doc.descendants((node, position) => {
      if (node.isTextblock) places.push(position + 1);
      return !node.isTextblock;
    });
    const place = places[Math.floor(where * places.length)] ?? 1;
    return tr.insertText(word, place).setMeta("addToHistory", false);
  });
}

/** Finds a text, with or without regard to case, and replaces it everywhere, as the bar for finding does. */
export function replaceAll(text: string, replacement: string, isExact: boolean): void {
  const { view } = editor();
  const found = findText(view.state.doc, text, isExact);
  if (found.length > 0 && view.editable) view.dispatch(replaceMatches(view.state.tr, found, replacement));
}

type Point = { readonly x: number; readonly y: number };

/** Returns where a mouse drags a block from and to: over blocks that are chosen by numbers from 0 to 1, in their upper half or lower. */
export function dragPoints(from: number, to: number): { readonly from: Point; readonly to: Point } {
  const blocks = [...editor().view.dom.querySelectorAll(":scope > *, li")];
  scrollTo({ top: 0 });
  const pointOf = (where: number): Point => {
    const block = blocks[Math.floor(where * blocks.length)] ?? editor().view.dom;
    const { left, top, bottom } = block.getBoundingClientRect();
    const isUpper = Math.round(where * 1_000) % 2 === 0;
    return { x: left + 5, y: isUpper ? top + 2 : bottom - 2 };
  };
  return { from: pointOf(from), to: pointOf(to) };
}

/** Returns the middle of the handle once it is drawn; null where no block has one. */
export async function handlePoint(): Promise<Point | null> {
  await drawn();
  const handle = document.querySelector<HTMLElement>("[data-handle]");
  if (handle === null || handle.hidden) return null;
  const { left, top, width, height } = handle.getBoundingClientRect();
  return { x: left + width / 2, y: top + height / 2 };
}

/** Returns once the page has drawn what changed. */
export const drawn = (): Promise<void> =>
  new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve())));

/** Pastes text or HTML at the caret. */
export function pasteAtCaret(type: string, text: string): void {
  const clipboardData = new DataTransfer();
  clipboardData.setData(type, text);
  editor().view.dom.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
}

/** `misplaced` are the blocks that are not drawn, or not below the one before them. */
type TextRead = {
  readonly json: string;
  readonly shown: string;
  readonly expected: string;
  readonly misplaced: readonly string[];
};

/** Returns the document as JSON, and how it is shown now and how it would be shown at once; they have to be the same. */
export function readText(): TextRead {
  const { view } = editor();
  view.state.doc.check();
  const json = JSON.stringify(view.state.doc);
  const place = document.createElement("div");
  document.body.append(place);
  const fresh = writeInEditor(place, json, view.editable);
  const expected = elementsOf(fresh.view.dom);
  fresh.end();
  place.remove();
  return { json, shown: elementsOf(view.dom), expected, misplaced: misplacedIn(view.dom) };
}

function misplacedIn(dom: HTMLElement): string[] {
  document.body.dataset.all = "";
  let end = Number.NEGATIVE_INFINITY;
  const found = [...dom.children].filter((block) => {
    const { top, bottom } = block.getBoundingClientRect();
    const isBelow = top > end - 1;
    end = bottom;
    return !isBelow || block.getClientRects().length === 0;
  });
  delete document.body.dataset.all;
  return found.map((block) => block.outerHTML);
}

/** The elements of a text without what depends on the caret: what is selected, unfolded, or needs a place for it. */
function elementsOf(dom: HTMLElement): string {
  const copy = dom.cloneNode(true) as HTMLElement;
  for (const element of copy.querySelectorAll(
    "img.ProseMirror-separator, br.ProseMirror-trailingBreak, .ProseMirror-gapcursor",
  )) {
    element.remove();
  }
  for (const element of copy.querySelectorAll<HTMLElement>("*")) {
    element.classList.remove("ProseMirror-selectednode", "selectedCell");
    if (element.className === "") element.removeAttribute("class");
    for (const name of ["open", "draggable", "style", "rows", "hidden", "aria-invalid"]) {
      element.removeAttribute(name);
    }
  }
  copy.normalize();
  return copy.innerHTML;
}
