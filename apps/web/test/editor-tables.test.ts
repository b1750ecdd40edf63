import { rebase } from "@kb/live";
import { parseMarkdown, serializeMarkdown } from "markdown-codec";
import { history, undo } from "prosemirror-history";
import type { Node } from "prosemirror-model";
import { type Command, EditorState, TextSelection, type Transaction } from "prosemirror-state";
import { describe, expect, it } from "vitest";
import { schema } from "../src/client/editor/schema.ts";
import { movesOn } from "../src/client/editor/table-commands.ts";
import {
  alignColumn,
  alignmentAround,
  deleteColumn,
  deleteRow,
  deleteTable,
  goToCell,
  insertColumn,
  insertRow,
  moveColumn,
  moveRow,
} from "../src/client/editor/table-edits.ts";

const three = "| a | bb | c |\n| :-- | --- | --- |\n| 1 | 2 | 3 |\n| 4 | 5 | 6 |\n";

/** Returns the position in front of a text. */
function placeOf(doc: Node, text: string): number {
  let place = -1;
  doc.descendants((node, position) => {
    if (place < 0 && node.isText && node.text?.includes(text)) place = position + node.text.indexOf(text);
  });
  return place;
}

/** Returns the state with the caret in front of a text. */
function stateAt(markdown: string, text: string): EditorState {
  const doc = schema.nodeFromJSON(parseMarkdown(markdown));
  const selection = TextSelection.create(doc, placeOf(doc, text));
  return EditorState.create({ doc, selection, plugins: [history()] });
}

function changed(state: EditorState, command: Command): Transaction | null {
  let transaction: Transaction | null = null;
  command(state, (tr) => {
    transaction = tr;
  });
  return transaction;
}

/** Returns the document after a command as Markdown, with the caret as `‸`; null where the command can do nothing. */
function after(state: EditorState, command: Command): string | null {
  const tr = changed(state, command);
  expect(command(state)).toBe(tr !== null);
  if (tr === null) return null;
  tr.doc.check();
  const next = state.apply(tr);
  return serializeMarkdown(next.tr.insertText("‸", next.selection.from).doc.toJSON());
}

const edited = (command: Command, at: string, markdown = three): string | null => after(stateAt(markdown, at), command);

describe("rows", () => {
  it("are inserted above and below, with the alignment of their columns", () => {
    expect(edited(insertRow(-1), "4")).toBe(
      "| a | bb | c |\n| :-- | --- | --- |\n| 1 | 2 | 3 |\n| ‸ |  |  |\n| 4 | 5 | 6 |\n",
    );
    expect(edited(insertRow(1), "5")).toBe(
      "| a | bb | c |\n| :-- | --- | --- |\n| 1 | 2 | 3 |\n| 4 | 5 | 6 |\n|  | ‸ |  |\n",
    );
    const below = changed(stateAt(three, "4"), insertRow(1));
    expect(below?.doc.child(0).child(3).child(0).attrs.align).toBe("left");
  });

  it("above the headings become the headings, and a deleted row of headings leaves the next one as that", () => {
    expect(edited(insertRow(-1), "a")).toBe(
      "| ‸ |  |  |\n| :-- | --- | --- |\n| a | bb | c |\n| 1 | 2 | 3 |\n| 4 | 5 | 6 |\n",
    );
    expect(edited(deleteRow, "bb")).toBe("| 1 | ‸2 | 3 |\n| :-- | --- | --- |\n| 4 | 5 | 6 |\n");
    expect(edited(deleteRow, "5")).toBe("| a | bb | c |\n| :-- | --- | --- |\n| 1 | ‸2 | 3 |\n");
    const typesOf = (tr: Transaction | null) =>
      tr?.doc.child(0).children.map((row) => [...new Set(row.children.map(({ type }) => type.name))]);
    const whole = [["tableHeader"], ["tableCell"]];
    expect(typesOf(changed(stateAt(three, "a"), deleteRow))).toEqual(whole);
    for (const [command, at] of [
      [moveRow(1), "a"],
      [moveRow(-1), "1"],
    ] as const) {
      expect(typesOf(changed(stateAt(three, at), command)), at).toEqual([...whole, ["tableCell"]]);
    }
  });

  it("move with the caret in them, also to the place of the headings, and not out of the table", () => {
    expect(edited(moveRow(1), "2")).toBe("| a | bb | c |\n| :-- | --- | --- |\n| 4 | 5 | 6 |\n| 1 | ‸2 | 3 |\n");
    expect(edited(moveRow(-1), "2")).toBe("| 1 | ‸2 | 3 |\n| :-- | --- | --- |\n| a | bb | c |\n| 4 | 5 | 6 |\n");
    expect(edited(moveRow(-1), "a")).toBeNull();
    expect(edited(moveRow(1), "6")).toBeNull();
  });

  it("that are the last of their table are not deleted: the table is", () => {
    expect(edited(deleteRow, "a", "| a |\n| --- |\n")).toBeNull();
    expect(edited(deleteColumn, "a", "| a |\n| --- |\n")).toBeNull();
    expect(edited(deleteTable, "a", "Text\n\n| a |\n| --- |\n")).toContain("Text");
    expect(edited(deleteTable, "a", "| a |\n| --- |\n")).toBe("‸\n");
  });
});

describe("columns", () => {
  it("are inserted before and after, and deleted", () => {
    expect(edited(insertColumn(-1), "1")).toBe(
      "|  | a | bb | c |\n| --- | :-- | --- | --- |\n| ‸ | 1 | 2 | 3 |\n|  | 4 | 5 | 6 |\n",
    );
    expect(edited(insertColumn(1), "6")).toBe(
      "| a | bb | c |  |\n| :-- | --- | --- | --- |\n| 1 | 2 | 3 |  |\n| 4 | 5 | 6 | ‸ |\n",
    );
    expect(edited(deleteColumn, "a")).toBe("| ‸bb | c |\n| --- | --- |\n| 2 | 3 |\n| 5 | 6 |\n");
    expect(edited(deleteColumn, "6")).toBe("| a | bb |\n| :-- | --- |\n| 1 | 2 |\n| 4 | ‸5 |\n");
  });

  it("move with their alignment and the caret in them, and not out of the table", () => {
    expect(edited(moveColumn(1), "1")).toBe("| bb | a | c |\n| --- | :-- | --- |\n| 2 | ‸1 | 3 |\n| 5 | 4 | 6 |\n");
    expect(edited(moveColumn(-1), "6")).toBe("| a | c | bb |\n| :-- | --- | --- |\n| 1 | 3 | 2 |\n| 4 | ‸6 | 5 |\n");
    expect(edited(moveColumn(-1), "a")).toBeNull();
    expect(edited(moveColumn(1), "c")).toBeNull();
  });

  it("are aligned as a whole", () => {
    expect(edited(alignColumn("center"), "1")).toContain("| :-: | --- | --- |");
    expect(edited(alignColumn(null), "1")).toContain("| --- | --- | --- |");
    const tr = changed(stateAt(three, "6"), alignColumn("right"));
    expect(tr?.doc.child(0).children.map((row) => row.child(2).attrs.align)).toEqual(["right", "right", "right"]);
    expect(tr?.steps).toHaveLength(3);
    expect(alignmentAround(stateAt(three, "4"))).toBe("left");
  });

  it("of a row that others made shorter stay there as they are", () => {
    const doc = schema.nodeFromJSON(parseMarkdown(three));
    const short = EditorState.create({ doc }).tr;
    const cell = placeOf(doc, "6") - 2;
    short.delete(cell, cell + 5);
    const selection = TextSelection.create(short.doc, placeOf(short.doc, "3"));
    const state = EditorState.create({ doc: short.doc, selection });
    expect(changed(state, moveColumn(-1))?.doc.child(0).child(2).textContent).toBe("45");
    expect(changed(state, deleteColumn)?.doc.child(0).textContent).toBe("abb1245");
    expect(changed(state, insertColumn(1))?.doc.child(0).child(2).childCount).toBe(3);
  });
});

describe("the keys that move rows and columns", () => {
  it.each(["apple", "other"] as const)("move them to the side of the arrow, on %s systems", (system) => {
    const moves = new Map([...movesOn(system)].map(([keys, command]) => [keys.split("Arrow").at(-1), command]));
    const move = (to: string): string | null => edited(moves.get(to) ?? expect.fail(to), "2");
    expect(move("Up")).toBe("| 1 | ‸2 | 3 |\n| :-- | --- | --- |\n| a | bb | c |\n| 4 | 5 | 6 |\n");
    expect(move("Down")).toBe("| a | bb | c |\n| :-- | --- | --- |\n| 4 | 5 | 6 |\n| 1 | ‸2 | 3 |\n");
    expect(move("Left")).toBe("| bb | a | c |\n| --- | :-- | --- |\n| ‸2 | 1 | 3 |\n| 5 | 4 | 6 |\n");
    expect(move("Right")).toBe("| a | c | bb |\n| :-- | --- | --- |\n| 1 | 3 | ‸2 |\n| 4 | 6 | 5 |\n");
  });

  it("leave ⌥⇧ and an arrow to Apple's systems, which select words and paragraphs", {
    meta: { proves: ["web.editor.keys"] },
  }, () => {
    expect([...movesOn("apple").keys()].filter((keys) => !/^Control\+Meta\+Arrow/.test(keys))).toEqual([]);
    expect([...movesOn("other").keys()].filter((keys) => !/^Alt\+Shift\+Arrow/.test(keys))).toEqual([]);
  });
});

describe("a table", () => {
  const large = (rows: number, columns: number): string => {
    const line = `|${"x|".repeat(columns)}\n`;
    return `${line}|${"-|".repeat(columns)}\n${line.repeat(rows - 1)}`;
  };

  it("gets at most 500 rows and 50 columns; what is larger keeps its rows and columns as they are", () => {
    expect(edited(insertRow(1), "x", large(499, 1))).not.toBeNull();
    expect(edited(insertRow(1), "x", large(500, 1))).toBeNull();
    expect(edited(insertColumn(1), "x", large(2, 49))).not.toBeNull();
    expect(edited(insertColumn(1), "x", large(2, 50))).toBeNull();
    for (const command of [insertColumn(1), moveColumn(1), deleteColumn, alignColumn("left")]) {
      expect(edited(command, "x", large(500, 2)), "500").not.toBeNull();
      expect(edited(command, "x", large(501, 2)), "501").toBeNull();
    }
  });

  it("is changed by one undo at a time, in one step for a column", () => {
    for (const command of [insertRow(1), insertColumn(1), deleteRow, deleteColumn, moveRow(-1), moveColumn(1)]) {
      const state = stateAt(three, "1");
      const typed = state.apply(state.tr.insertText("x"));
      const tr = changed(typed, command);
      if (tr === null) throw new Error("The command did nothing");
      let next = typed.apply(tr);
      undo(next, (back) => {
        next = next.apply(back);
      });
      expect(next.doc.eq(typed.doc)).toBe(true);
    }
    expect(changed(stateAt(three, "1"), moveColumn(1))?.steps).toHaveLength(1);
    expect(changed(stateAt(three, "1"), insertColumn(1))?.steps).toHaveLength(1);
  });

  it("is walked through by Tab, which adds a row at its end", () => {
    expect(edited(goToCell(1), "3")).toContain("| ‸4 |");
    expect(edited(goToCell(-1), "4")).toContain("| ‸3 |");
    expect(edited(goToCell(-1), "a")).toBeNull();
    expect(edited(goToCell(1), "6")).toContain("\n| ‸ |  |  |\n");
    expect(edited(goToCell(1), "Text", "Text\n")).toBeNull();
  });
});

describe("while somebody else writes in the same table", () => {
  const commands = {
    insertRow: insertRow(-1),
    insertColumn: insertColumn(-1),
    moveRow: moveRow(1),
    moveColumn: moveColumn(1),
  };

  const rebased = (doc: Node, late: Transaction["steps"], early: Transaction["steps"]) => {
    const current = early.reduce((now, step) => step.apply(now).doc ?? now, doc);
    return rebase(current, late, early);
  };

  it.each(Object.entries(commands))("%s loses no word of theirs, whichever comes first", (_name, command) => {
    for (const cell of ["a", "bb", "c", "1", "2", "3", "4", "5", "6"]) {
      const state = stateAt(three, "1");
      const theirs = state.tr.insertText("word ", placeOf(state.doc, cell));
      const mine = changed(state, command);
      if (mine === null) throw new Error("The command did nothing");
      const later = rebased(state.doc, mine.steps, theirs.steps);
      expect(later.doc.textContent, `${cell}, their word first`).toContain("word ");
      later.doc.check();
      const earlier = rebased(state.doc, theirs.steps, mine.steps);
      expect([earlier.doc.textContent, ...earlier.orphans].join(" "), `${cell}, my change first`).toContain("word ");
      for (const text of ["a", "bb", "c", "1", "2", "3", "4", "5", "6"]) {
        for (const { doc } of [later, earlier]) expect(doc.textContent.split(text).length, text).toBeGreaterThan(1);
      }
    }
  });

  it("a moved column leaves what they write in the cells of the other column where it is", () => {
    const markdown = "| a | long words |\n| --- | --- |\n| 1 | more words |\n";
    const state = stateAt(markdown, "1");
    const theirs = state.tr.insertText("X", placeOf(state.doc, "more"));
    const mine = changed(state, moveColumn(1));
    const { doc } = rebased(state.doc, mine?.steps ?? [], theirs.steps);
    expect(serializeMarkdown(doc.toJSON())).toBe("| long words | a |\n| --- | --- |\n| Xmore words | 1 |\n");
    const other = rebased(state.doc, theirs.steps, mine?.steps ?? []);
    expect(other.orphans).toEqual([]);
    expect(other.doc.eq(doc)).toBe(true);
  });
});
