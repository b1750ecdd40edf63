import { isolated } from "./isolated.ts";
import { plural } from "./plural.ts";

const count = plural("en");

/** The words for the history of a document, in English. */
export const enHistory = {
  historyOf: (title: string) => `History of ${isolated(title)}`,
  historyOne: "There is only one version so far.",
  historyStored: "Changes by one person within five minutes make one version, so numbers may be missing.",
  backToDocument: "Back to the document",
  restoreVersion: "Restore this version",
  undoChange: "Undo this change",
  changeUndone: (left: number) =>
    left === 0
      ? "The change is undone. Later changes stay."
      : `The change is undone, except in ${count(left, { one: "# place that was", other: "# places that were" })} changed again since.`,
  nothingToUndo: "Nothing was undone: all of this change was changed again or deleted since.",
  continuedAs: (n: number) =>
    `Nothing was undone: this version was continued as revision ${n}. Undo that one to undo both.`,
  undoes: (n: number) => `Undoes revision ${n}`,
  currentVersion: "Current version",
  changes: "Changes since the version before",
  changesNone: "The text is the same; only the title or the emoji changed.",
};
