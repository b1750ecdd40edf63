import "../src/client/style/main.css";
import { TextSelection } from "prosemirror-state";
import { loadFormulas } from "../src/client/editor/formula-view.ts";
import { schema } from "../src/client/editor/schema.ts";
import { enhance } from "../src/client/reading/enhance.ts";
import { directionOfHtml, setDirection } from "../src/client/reading/text-direction.ts";
import { en } from "../src/messages/en.ts";
import { type LocalEditor, showInEditor, writeInEditor } from "./editor-shown.ts";

/** A block that lies elsewhere, or has another height, in the editor than for readers. */
export type Shift = { readonly block: number; readonly reading: string; readonly editing: string };

/** Lays a document out as readers and as writers see it, in columns of a width, and returns the blocks that differ. */
export async function shiftsOf(json: string, html: string, width: number): Promise<Shift[]> {
  await loadFormulas(schema.nodeFromJSON(JSON.parse(json)));
  return laidOut(json, html, width, (reading, editing) => {
    const read = blocksOf(reading);
    const written = blocksOf(editing);
    const shifts = read.flatMap((block, index) =>
      isLaidOutAs(block, written[index])
        ? []
        : [{ block: index, reading: describe(block), editing: describe(written[index]) }],
    );
    return read.length === written.length
      ? shifts
      : [{ block: -1, reading: `${read.length}`, editing: `${written.length}` }, ...shifts];
  });
}

/** Lays a document out as readers and as writers see it, and returns the words of each with their left edges, in pixels. */
export const wordsOf = (json: string, html: string, width: number): readonly [reading: string[], editing: string[]] =>
  laidOut(json, html, width, (reading, editing) => [placesOf(reading), placesOf(editing)] as const);

/** Shows a document below another, for readers and for writers, while `use` runs. */
function laidOut<Result>(
  json: string,
  html: string,
  width: number,
  use: (reading: HTMLElement, editing: HTMLElement) => Result,
): Result {
  const reading = document.createElement("article");
  const editing = document.createElement("div");
  for (const element of [reading, editing]) {
    element.style.inlineSize = `${width}px`;
    document.body.append(element);
  }
  reading.className = "prose";
  setDirection(reading, directionOfHtml(html));
  reading.innerHTML = html;
  const endReading = enhance(reading, en);
  const end = showInEditor(editing, json, true);
  document.body.dataset.all = "";
  try {
    return use(reading, editing);
  } finally {
    delete document.body.dataset.all;
    endReading();
    end();
    reading.remove();
    editing.remove();
  }
}

/** The words of a text, each with its left edge. What the app adds to the text, such as buttons, is left out. */
function placesOf(container: HTMLElement): string[] {
  const { left } = container.getBoundingClientRect();
  const places: string[] = [];
  const range = document.createRange();
  const walker = document.createTreeWalker(container, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    if (node.parentElement?.closest("button, .heading-link, .unseen") !== null) continue;
    for (const { 0: word, index } of (node.textContent ?? "").matchAll(/[\p{L}\p{N}]+/gu)) {
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      places.push(`${word} ${Math.round(range.getBoundingClientRect().left - left)}`);
    }
  }
  return places;
}

let written: LocalEditor | undefined;

const empty = JSON.stringify({ type: "doc", content: [{ type: "paragraph" }] });

/** Opens a document, as JSON, to be written, by default an empty one; ends the one that was open. */
export function beginToWrite(json = empty): void {
  written?.end();
  const place = document.createElement("div");
  document.body.replaceChildren(place);
  written = writeInEditor(place, json);
  written.view.focus();
}

/** Puts the caret into the paragraph of an index; returns whether its words are laid out at once. */
export function selectIn(index: number): boolean {
  const { view } = written ?? {};
  if (view === undefined) throw new Error("No text is open");
  const at = view.state.doc.children.slice(0, index).reduce((sum, { nodeSize }) => sum + nodeSize, 2);
  view.dispatch(view.state.tr.setSelection(TextSelection.create(view.state.doc, at)));
  const block = view.nodeDOM(at - 2);
  if (!(block instanceof Element)) throw new Error("It is not shown");
  return block.querySelector("strong")?.checkVisibility({ contentVisibilityAuto: true }) === true;
}

/** Its height, and its distance to the block above it. */
type Block = { readonly height: number; readonly distance: number; readonly element: Element };

function blocksOf(container: HTMLElement): Block[] {
  let end = container.getBoundingClientRect().top;
  return [...container.children]
    .filter((element) => !element.matches(".unseen"))
    .map((element) => {
      const { top, bottom, height } = element.getBoundingClientRect();
      const distance = top - end;
      end = bottom;
      return { element, height, distance };
    });
}

/**
 * A line in which nothing stands but the caret, and which readers therefore do not see: after a break at the end of a paragraph, in an
 * empty heading, and in an item before the list or the code that it begins with.
 */
const caretLine =
  "br + br.ProseMirror-trailingBreak, li > p:first-child > br.ProseMirror-trailingBreak:only-child, :is(h1, h2, h3, h4, h5, h6) > br.ProseMirror-trailingBreak";

/** Less than a pixel is the rounding of the browser. */
function isLaidOutAs(block: Block, other: Block | undefined): boolean {
  if (other === undefined || Math.abs(block.distance - other.distance) >= 1) return false;
  return Math.abs(block.height - other.height) < 1 || other.element.querySelector(caretLine) !== null;
}

const describe = (block: Block | undefined): string =>
  block === undefined
    ? "nothing"
    : `${block.distance} below, ${block.height} high: ${block.element.outerHTML.slice(0, 300)}`;
