import type { Node } from "prosemirror-model";
import { TextSelection } from "prosemirror-state";
import type { EditorView } from "prosemirror-view";
import { useEffect, useState } from "react";
import { findText, type Match, matchFrom, replaceMatches } from "./find-text.ts";
import { clearFound, markFound, showMatch } from "./found-marks.ts";
import { onViewUpdate } from "./view-updates.ts";

/** What is typed is looked for once nobody types for this time. */
const pauseMs = 200;

type Found = { readonly doc: Node; readonly matches: readonly Match[]; readonly index: number };

/** The passages of the text of an editor that are looked for. */
export type FoundText = Pick<Found, "matches" | "index"> & {
  /** Goes to the next passage, or to the one before. */
  readonly go: (direction: 1 | -1) => void;
  readonly replace: (text: string) => void;
  /** Returns how many were replaced. */
  readonly replaceAll: (text: string) => number;
};

/** Looks for a text in an editor, and again when it changes. */
export function useFound(view: EditorView, wanted: string, isExact: boolean): FoundText {
  const [found, setFound] = useState<Found>({ doc: view.state.doc, matches: [], index: -1 });
  useLooking(view, wanted, isExact, setFound);
  const { doc, matches, index } = found;
  useEffect(() => {
    if (view.state.doc === doc) markFound(view, matches, index);
  }, [view, doc, matches, index]);
  useEffect(() => clearFound, []);
  const current = (): readonly Match[] => findText(view.state.doc, wanted, isExact);
  const select = (all: readonly Match[], next: number): void => {
    const match = all[next];
    if (match !== undefined) {
      const { tr } = view.state;
      view.dispatch(tr.setSelection(TextSelection.create(tr.doc, match.from, match.to)));
      showMatch(view, match);
    }
    setFound({ doc: view.state.doc, matches: all, index: next });
  };
  return {
    matches,
    index,
    go: (direction) => {
      const all = current();
      const { from, to } = view.state.selection;
      const at = matchFrom(all, from);
      const isThere = all[at]?.from === from && all[at]?.to === to;
      const next = direction > 0 ? (isThere ? at + 1 : at) : at - 1;
      if (all.length > 0) select(all, (next + all.length) % all.length);
    },
    replace: (text) => {
      const all = current();
      const at = matchFrom(all, view.state.selection.from);
      const match = all[at];
      if (match === undefined || !view.editable) return;
      const tr = replaceMatches(view.state.tr, [match], text);
      view.dispatch(tr.setSelection(TextSelection.create(tr.doc, match.from + text.length)));
      const left = current();
      select(left, matchFrom(left, match.from + text.length));
    },
    replaceAll: (text) => {
      const all = current();
      if (all.length === 0 || !view.editable) return 0;
      view.dispatch(replaceMatches(view.state.tr, all, text));
      return all.length;
    },
  };
}

/** Looks for a text, and again when the document changes. */
function useLooking(view: EditorView, wanted: string, isExact: boolean, setFound: (found: Found) => void): void {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let last: Node | undefined;
    const look = (): void => {
      const { doc, selection } = view.state;
      last = doc;
      const matches = findText(doc, wanted, isExact);
      setFound({ doc, matches, index: matchFrom(matches, selection.from) });
    };
    look();
    const end = onViewUpdate(view, () => {
      if (view.state.doc === last) return;
      clearTimeout(timer);
      timer = setTimeout(look, pauseMs);
    });
    return () => {
      clearTimeout(timer);
      end();
    };
  }, [view, wanted, isExact, setFound]);
}
