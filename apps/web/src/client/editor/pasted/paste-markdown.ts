import { closeHistory, undo, undoDepth } from "prosemirror-history";
import type { EditorView } from "prosemirror-view";
import { loadInsertWords } from "../../../messages/insert/index.ts";
import { boot } from "../../app/boot.ts";
import { notify } from "../../app/notices.ts";
import { onViewUpdate } from "../view-updates.ts";
import { fillCells } from "./fill-cells.ts";
import { freeFootnotes } from "./footnote-labels.ts";
import { sliceOfMarkdown } from "./markdown-slice.ts";

/** Pastes Markdown as what it means, and offers the text itself in a notice. Returns false if it could not be read. */
export async function pasteMarkdown(view: EditorView, text: string): Promise<boolean> {
  const read = await sliceOfMarkdown(text);
  if (read === null) return false;
  if (view.isDestroyed || fillCells(view, read.slice)) return true;
  const { tr, doc } = view.state;
  // The paste is undone by itself, without the text that was typed before or is typed after it.
  view.dispatch(
    closeHistory(tr.replaceSelection(freeFootnotes(read.slice, doc)).setMeta("paste", true).scrollIntoView()),
  );
  view.dispatch(closeHistory(view.state.tr));
  // A page that cannot load the words has the formatted text all the same.
  if (read.isMarkdown && !view.state.doc.eq(doc)) await offerText(view, text).catch(() => undefined);
  return true;
}

async function offerText(view: EditorView, text: string): Promise<void> {
  const depth = undoDepth(view.state);
  let isChanged = false;
  const end = onViewUpdate(view, () => {
    isChanged ||= undoDepth(view.state) !== depth;
    if (isChanged) end();
  });
  const { pasted: words } = await loadInsertWords(boot().locale);
  const run = (): void => {
    if (view.isDestroyed || !view.editable) return;
    if (isChanged) {
      notify({ text: words.changedSince, isFailure: true });
      return;
    }
    undo(view.state, view.dispatch);
    view.pasteText(text);
    view.focus();
  };
  notify({ text: words.asMarkdown, action: { label: words.asText, run } });
}
