import type { EditorView } from "prosemirror-view";
import styles from "./beside-text.module.css";
import { fitsInGap, moveTo, startOfBlock, startOfOutermost } from "./move-to.ts";
import { type TrackedPlace, trackPlace } from "./tracked-places.ts";

/** A press that moves less is a click. */
const clickPx = 4;
/** This near to the edge of the window, the page scrolls by so much in a frame. */
const edgePx = 56;
const scrollPx = 12;

type Press = { readonly block: number; readonly event: PointerEvent; readonly handle: HTMLElement };
type Gap = { readonly position: number; readonly y: number; readonly left: number; readonly width: number };

/**
 * A block that is dragged from the press of its handle on. A line shows where it would go. Escape leaves it where it is. Others go on
 * writing meanwhile, in it too: it is moved as it is when it is dropped.
 */
export class BlockDrag {
  readonly #view: EditorView;
  readonly #around: HTMLElement;
  readonly #line = document.createElement("div");
  readonly #place: TrackedPlace;
  readonly #handle: HTMLElement;
  readonly #start: { readonly x: number; readonly y: number };
  readonly #ended: (wasMoved: boolean) => void;
  readonly #ending = new AbortController();
  #at: { readonly x: number; readonly y: number };
  #isDragging = false;
  #frame = 0;

  constructor(
    view: EditorView,
    around: HTMLElement,
    { block, event, handle }: Press,
    ended: (wasMoved: boolean) => void,
  ) {
    this.#view = view;
    this.#around = around;
    this.#handle = handle;
    this.#ended = ended;
    this.#start = { x: event.clientX, y: event.clientY };
    this.#at = this.#start;
    this.#place = trackPlace(view, block, block + (view.state.doc.nodeAt(block)?.nodeSize ?? 0));
    this.#line.className = styles.line ?? "";
    this.#line.dataset.dropLine = "";
    this.#line.hidden = true;
    around.append(this.#line);
    handle.setPointerCapture(event.pointerId);
    const { signal } = this.#ending;
    handle.addEventListener("pointermove", (moved) => this.#move(moved), { signal });
    handle.addEventListener("pointerup", () => this.#drop(), { signal });
    handle.addEventListener("pointercancel", () => this.cancel(), { signal });
    addEventListener("keydown", (key) => this.#press(key), { signal, capture: true });
  }

  /** Leaves the block where it is. */
  cancel(): void {
    this.#end(true);
  }

  #press(event: KeyboardEvent): void {
    // No other key has a meaning for what is dragged.
    event.preventDefault();
    event.stopPropagation();
    if (event.key === "Escape") this.cancel();
  }

  #move({ clientX, clientY }: PointerEvent): void {
    this.#at = { x: clientX, y: clientY };
    this.#isDragging ||= Math.hypot(clientX - this.#start.x, clientY - this.#start.y) >= clickPx;
    if (!this.#isDragging || this.#frame !== 0) return;
    this.#handle.dataset.dragging = "";
    this.#draw();
  }

  /** Shows the gap, and scrolls while the mouse is at an edge of the window. */
  readonly #draw = (): void => {
    this.#frame = requestAnimationFrame(this.#draw);
    const { y } = this.#at;
    if (y < edgePx) scrollBy({ top: -scrollPx, behavior: "instant" });
    else if (y > innerHeight - edgePx) scrollBy({ top: scrollPx, behavior: "instant" });
    const gap = this.#gap();
    this.#line.hidden = gap === null;
    if (gap === null) return;
    const around = this.#around.getBoundingClientRect();
    this.#line.style.top = `${gap.y - around.top}px`;
    this.#line.style.left = `${gap.left - around.left}px`;
    this.#line.style.width = `${gap.width}px`;
  };

  #drop(): void {
    const moved = this.#place.now();
    const gap = this.#isDragging ? this.#gap() : null;
    const change = moved === null || gap === null ? null : moveTo(this.#view.state, moved, gap.position);
    const wasDragged = this.#isDragging;
    this.#end(wasDragged);
    if (change === null || this.#view.isDestroyed) return;
    this.#view.dispatch(change);
    this.#view.focus();
  }

  #end(wasMoved: boolean): void {
    this.#ending.abort();
    cancelAnimationFrame(this.#frame);
    this.#line.remove();
    delete this.#handle.dataset.dragging;
    this.#place.end();
    this.#ended(wasMoved);
  }

  /** Returns the gap under the mouse that the block may move into: beside an item of its kind, else between the outermost blocks. */
  #gap(): Gap | null {
    const { doc } = this.#view.state;
    const moved = this.#place.now();
    const block = moved === null ? null : doc.nodeAt(moved.from);
    const text = this.#view.dom.getBoundingClientRect();
    const left = Math.max(text.left + 1, Math.min(this.#at.x, text.right - 1));
    const top = Math.max(text.top + 1, Math.min(this.#at.y, text.bottom - 1));
    const found = this.#view.posAtCoords({ left, top });
    if (block === null || found === null) return null;
    const $at = doc.resolve(found.inside < 0 ? found.pos : found.inside);
    const gaps = [startOfBlock($at), startOfOutermost($at)].flatMap((start) => this.#beside(start) ?? []);
    return gaps.find(({ position }) => fitsInGap(block, doc.resolve(position))) ?? null;
  }

  /** Returns the gap before or behind a block, whichever is nearer to the mouse. */
  #beside(start: number | null): Gap | null {
    const dom = start === null ? null : this.#view.nodeDOM(start);
    const node = start === null ? null : this.#view.state.doc.nodeAt(start);
    if (start === null || node === null || !(dom instanceof HTMLElement)) return null;
    const { top, bottom, left, width } = dom.getBoundingClientRect();
    const isBefore = this.#at.y < (top + bottom) / 2;
    return { position: isBefore ? start : start + node.nodeSize, y: isBefore ? top : bottom, left, width };
  }
}
