import type { EditorView } from "prosemirror-view";

const gapPx = 4;

/**
 * Puts an element below a place in the text, or above where there is more room; never wider than the text. Its parent is the
 * positioned element around the text.
 */
export function placeBeside(element: HTMLElement, view: EditorView, position: number): void {
  const parent = element.offsetParent;
  if (parent === null) return;
  const around = parent.getBoundingClientRect();
  const caret = view.coordsAtPos(position);
  const { offsetWidth: width, offsetHeight: height } = element;
  const isRtl = getComputedStyle(element).direction === "rtl";
  const wanted = (isRtl ? caret.left - width : caret.left) - around.left;
  const left = Math.max(0, Math.min(wanted, around.width - width));
  const isBelow = caret.bottom + gapPx + height <= innerHeight || caret.top < innerHeight - caret.bottom;
  const top = isBelow ? caret.bottom + gapPx : caret.top - gapPx - height;
  element.style.left = `${left}px`;
  element.style.top = `${top - around.top}px`;
}
