import type { EditorView } from "prosemirror-view";

/** A part of what ProseMirror keeps of its input. */
type ViewInput = { readonly shiftKey?: boolean; lastFocus?: number };

/** Returns what an editor keeps of its input; undefined where ProseMirror has none. Only its types leave it out. */
export const inputOf = ({ input }: EditorView & { readonly input?: ViewInput }): ViewInput | undefined => input;
