import { history } from "prosemirror-history";
import type { Plugin } from "prosemirror-state";

/** What one undoing takes back: each change alone, or changes side by side within half a second together. */
export type UndoGroups = "single" | "usual";

/** Returns the history of a writer. Its option of no delay would mean the default of half a second, hence a negative one. */
export const historyOf = (groups: UndoGroups = "usual"): Plugin =>
  history(groups === "single" ? { newGroupDelay: -1 } : {});
