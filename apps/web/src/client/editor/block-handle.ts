import { NodeSelection, TextSelection } from "prosemirror-state";
import type { EditorView } from "prosemirror-view";
import styles from "./beside-text.module.css";
import { BlockDrag } from "./block-drag.ts";
import { startOfBlock } from "./move-to.ts";

/** The handle is this wide, and this far from the text. */
const widthPx = 24;
const gapPx = 4;

/**
 * Shows a handle beside the block under the mouse, with which it is dragged elsewhere or, by a click, selected. The keyboard moves
 * blocks by itself, so the handle is for the mouse only. Returns a function that ends it.
 */
export function showHandle(view: EditorView, around: HTMLElement): () => void {
  const handle = new BlockHandle(view, around);
  return () => handle.end();
}

class BlockHandle {
  readonly #view: EditorView;
  readonly #around: HTMLElement;
  readonly #element = document.createElement("div");
  readonly #ending = new AbortController();
  #frame = 0;
  #block: number | null = null;
  #drag: BlockDrag | undefined;

  constructor(view: EditorView, around: HTMLElement) {
    this.#view = view;
    this.#around = around;
    const element = this.#element;
    element.className = styles.handle ?? "";
    element.dataset.handle = "";
    element.setAttribute("aria-hidden", "true");
    element.hidden = true;
    around.append(element);
    const { signal } = this.#ending;
    const page = document.documentElement;
    page.addEventListener("pointermove", (event) => this.#follow(event), { signal });
    page.addEventListener("pointerleave", () => this.#hide(), { signal });
    view.dom.addEventListener("keydown", () => this.#hide(), { signal });
    element.addEventListener("pointerdown", (event) => this.#press(event), { signal });
  }

  end(): void {
    this.#ending.abort();
    this.#drag?.cancel();
    cancelAnimationFrame(this.#frame);
    this.#element.remove();
  }

  #hide(): void {
    // Hidden again, it would have its style computed with each key.
    if (this.#drag === undefined && !this.#element.hidden) this.#element.hidden = true;
  }

  /** Looks for the block under the mouse, at most once in a frame. */
  #follow({ pointerType, clientX, clientY, target }: PointerEvent): void {
    if (pointerType !== "mouse" || this.#drag !== undefined || this.#frame !== 0 || target === this.#element) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      if (!this.#view.isDestroyed && this.#drag === undefined) this.#show(clientX, clientY);
    });
  }

  #show(x: number, y: number): void {
    const text = this.#view.dom.getBoundingClientRect();
    const isNear = x > text.left - 2 * widthPx && x < text.right + 2 * widthPx && y > text.top && y < text.bottom;
    const inside = Math.max(text.left + 1, Math.min(x, text.right - 1));
    this.#block = isNear && this.#view.editable ? blockAt(this.#view, inside, y) : null;
    const dom = this.#block === null ? null : this.#view.nodeDOM(this.#block);
    this.#element.hidden = !(dom instanceof HTMLElement);
    if (!(dom instanceof HTMLElement)) return;
    const { direction, lineHeight } = getComputedStyle(dom);
    const around = this.#around.getBoundingClientRect();
    const line = Number.parseFloat(lineHeight) || widthPx;
    const left = direction === "rtl" ? text.right + gapPx : text.left - widthPx - gapPx;
    this.#element.style.left = `${left - around.left}px`;
    this.#element.style.top = `${dom.getBoundingClientRect().top - around.top + (line - widthPx) / 2}px`;
  }

  #press(event: PointerEvent): void {
    const block = this.#block;
    if (event.button !== 0 || block === null) return;
    // The text keeps its focus.
    event.preventDefault();
    this.#drag = new BlockDrag(this.#view, this.#around, { block, event, handle: this.#element }, (wasMoved) => {
      this.#drag = undefined;
      this.#element.hidden = true;
      if (!wasMoved) select(this.#view, block);
    });
  }
}

/** Returns where the block at a place in the window begins. */
export function blockAt(view: EditorView, x: number, y: number): number | null {
  const found = view.posAtCoords({ left: x, top: y });
  if (found === null) return null;
  return startOfBlock(view.state.doc.resolve(found.inside < 0 ? found.pos : found.inside));
}

/** Selects a block as a whole. */
function select(view: EditorView, block: number): void {
  const { doc, tr } = view.state;
  const node = block <= doc.content.size ? doc.nodeAt(block) : null;
  if (node === null) return;
  const selection = NodeSelection.isSelectable(node)
    ? NodeSelection.create(doc, block)
    : TextSelection.between(doc.resolve(block + 1), doc.resolve(block + node.nodeSize - 1));
  view.dispatch(tr.setSelection(selection));
  view.focus();
}
