import type { EditorView } from "prosemirror-view";
import type { Match } from "./find-text.ts";

const all = "kb-found";
const current = "kb-found-current";

/** Marks the passages that were found without a change of the text's elements, the current one in its own way. */
export function markFound(view: EditorView, matches: readonly Match[], index: number): void {
  if (CSS.highlights === undefined) return;
  const ranges = matches.map((match) => rangeOf(view, match));
  const [chosen] = ranges.splice(index, index < 0 ? 0 : 1);
  CSS.highlights.set(all, new Highlight(...ranges));
  if (chosen === undefined) CSS.highlights.delete(current);
  else {
    const mark = new Highlight(chosen);
    mark.priority = 1;
    CSS.highlights.set(current, mark);
  }
}

/** Ends the marks. */
export function clearFound(): void {
  CSS.highlights?.delete(all);
  CSS.highlights?.delete(current);
}

/** The part of the window, from above, in which a passage is seen: the toolbar may cover what is higher. */
const seen = { from: 0.5, to: 0.9, best: 0.7 };

/** Scrolls to a passage, and unfolds what it is in. */
export function showMatch(view: EditorView, match: Match): void {
  const { node } = view.domAtPos(match.from);
  const element = node instanceof Element ? node : node.parentElement;
  element?.closest("details")?.setAttribute("open", "");
  const { top } = view.coordsAtPos(match.from);
  if (top < seen.from * innerHeight || top > seen.to * innerHeight) scrollBy({ top: top - seen.best * innerHeight });
}

function rangeOf(view: EditorView, { from, to }: Match): Range {
  const start = view.domAtPos(from);
  const end = view.domAtPos(to);
  const range = document.createRange();
  range.setStart(start.node, start.offset);
  range.setEnd(end.node, end.offset);
  return range;
}
