import { Plugin } from "prosemirror-state";
import { part } from "./part.ts";

const notes = part(() => import("./footnotes.ts"));

/** Loads what leads to footnotes and back. Nobody waits for it: without it, keys do what they do elsewhere. */
export const loadFootnotes = (): void => void notes.load().catch(() => undefined);

/** Enter on a reference leads to its footnote, and Escape back. */
export const footnoteKeys = (): Plugin =>
  new Plugin({ props: { handleKeyDown: (view, event) => notes.current?.pressAtNote(view, event) === true } });
