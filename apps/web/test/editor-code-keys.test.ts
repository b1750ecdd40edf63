import { history, undo } from "prosemirror-history";
import { EditorState, TextSelection, type Transaction } from "prosemirror-state";
import { expect, it } from "vitest";
import { pressInCode } from "../src/client/editor/code-keys.ts";
import { schema } from "../src/client/editor/schema.ts";

const lines = Array.from({ length: 2_500 }, (_, index) => (index % 5 === 4 ? "" : `line ${index}`));
const shift = (by: string): string => lines.map((line) => (line === "" ? "" : by + line)).join("\n");

/** Presses a key with Ctrl in code; returns the transactions that it makes. */
function press(state: EditorState, key: string): Transaction[] {
  const made: Transaction[] = [];
  const view = { state, editable: true, composing: false, dispatch: (tr: Transaction) => void made.push(tr) };
  pressInCode(view, { key, ctrlKey: true, metaKey: false, altKey: false, shiftKey: false });
  return made;
}

it("thousands of lines move in and out by a few steps, which are undone at once", {
  meta: { proves: ["web.editor.code"] },
}, () => {
  const code = schema.node("codeBlock", null, [schema.text(shift(""))]);
  const doc = schema.node("doc", null, [schema.node("paragraph"), code]);
  const selection = TextSelection.create(doc, 3, doc.content.size - 1);
  const state = EditorState.create({ doc, selection, plugins: [history()] });
  const [moved] = press(state, "]");
  expect(moved?.steps.length).toBe(2);
  expect(moved?.doc.lastChild?.textContent).toBe(shift("  "));
  const after = state.apply(moved ?? state.tr);
  const [back] = press(after, "[");
  expect(back?.steps.length).toBe(2);
  expect(back?.doc.lastChild?.textContent).toBe(shift(""));
  let undone = after;
  undo(after, (tr) => {
    undone = after.apply(tr);
  });
  expect(undone.doc.eq(doc)).toBe(true);
});
