import { closeHistory, undo, undoDepth } from "prosemirror-history";
import type { EditorView } from "prosemirror-view";
import { loadInsertWords } from "../../../messages/insert/index.ts";
import { boot } from "../../app/boot.ts";
import { notify } from "../../app/notices.ts";
import { freeFootnotes } from "./footnote-labels.ts";
import { sliceOfMarkdown } from "./markdown-slice.ts";

/** Pastes Markdown as what it means, and offers the text itself in a notice. Returns false if it could not be read. */
export async function pasteMarkdown(view: EditorView, text: string): Promise<boolean> {
  const slice = await sliceOfMarkdown(text);
  if (slice === null) return false;
  if (view.isDestroyed) return true;
  const { tr, doc } = view.state;
  view.dispatch(tr.replaceSelection(freeFootnotes(slice, doc)).setMeta("paste", true).scrollIntoView());
  // What is typed next is not taken back with it.
  view.dispatch(closeHistory(view.state.tr));
  // A page that cannot say it has the formatted text all the same.
  void offerText(view, text).catch(() => undefined);
  return true;
}

async function offerText(view: EditorView, text: string): Promise<void> {
  const pastes = undoDepth(view.state);
  const { pasted: words } = await loadInsertWords(boot().locale);
  const run = (): void => {
    if (view.isDestroyed) return;
    if (undoDepth(view.state) !== pastes) {
      notify({ text: words.writtenSince, isFailure: true });
      return;
    }
    undo(view.state, view.dispatch);
    view.pasteText(text);
    view.focus();
  };
  notify({ text: words.asMarkdown, action: { label: words.asText, run } });
}
