import { TextSelection, type Transaction } from "prosemirror-state";
import type { EditorView } from "prosemirror-view";
import { useCallback, useEffect, useRef } from "react";
import { takeKeysForText } from "../app/keys-ahead.ts";
import { keyAfter } from "../app/typed-key.ts";
import { blockAt, type KeptPlace, scrollToPlace, takePlace } from "../reading/kept-place.ts";
import { isNamed } from "../writing/is-named.ts";
import type { Editor } from "./use-editor.ts";

/**
 * Keeps what is typed in the place of the text until the text is there, and types it then. In a document with a name the text has the
 * focus first. Returns a function that moves the focus to the text, or to its place.
 */
export function useTextAhead(
  { id, title }: { readonly id: string; readonly title: string },
  { place, opened }: Pick<Editor, "place" | "opened">,
): () => void {
  const typed = useRef("");
  const kept = useRef<KeptPlace>(undefined);
  const focus = useCallback(() => {
    if (opened !== undefined) opened.view.focus();
    else place.current?.querySelector<HTMLElement>("[tabindex]")?.focus({ preventScroll: true });
  }, [opened, place]);
  useEffect(() => {
    kept.current = takePlace(id);
    const ahead = takeKeysForText(id);
    if (ahead === undefined && !isNamed(title)) return;
    typed.current = ahead ?? "";
    focus();
  }, [id]);
  useEffect(() => {
    const element = place.current;
    if (opened !== undefined) {
      const { dom } = opened.view;
      moveCaret(opened.view, kept.current && blockAt(dom, kept.current));
      if (kept.current !== undefined) scrollToPlace(kept.current, dom);
      typeText(opened.view, typed.current);
      typed.current = "";
      kept.current = undefined;
      return;
    }
    const keep = (event: KeyboardEvent): void => {
      const after = keyAfter(typed.current, event, { hasLines: true });
      if (after === undefined) return;
      typed.current = after;
      event.preventDefault();
      event.stopPropagation();
    };
    // Until the text has the caret, no key reaches it, though it may be there already.
    element?.addEventListener("keydown", keep, { capture: true });
    return () => element?.removeEventListener("keydown", keep, { capture: true });
  }, [opened, place]);
  return focus;
}

/** Moves the caret into the text of a block, by default the first, or of the nearest one that has text: a selected picture would give way to the first letter. */
function moveCaret(view: EditorView, block: Element | undefined): void {
  const { doc, selection, tr } = view.state;
  const $at = doc.resolve(block === undefined ? 0 : view.posAtDOM(block, 0));
  const start = TextSelection.findFrom($at, 1, true) ?? TextSelection.findFrom($at, -1, true);
  if (start !== null && !start.eq(selection)) view.dispatch(tr.setSelection(start));
}

/** Types a text at the caret, so that its signs do what they do when they are typed there. */
function typeText(view: EditorView, text: string): void {
  if (text === "" || !view.editable) return;
  for (const key of text) {
    const { from, to } = view.state.selection;
    const insert = (): Transaction => view.state.tr.insertText(key, from, to).scrollIntoView();
    const isHandled =
      key === "\n"
        ? view.someProp("handleKeyDown", (handle) => handle(view, new KeyboardEvent("keydown", { key: "Enter" })))
        : view.someProp("handleTextInput", (handle) => handle(view, from, to, key, insert));
    if (!isHandled && key !== "\n") view.dispatch(insert());
  }
}
