import { type Command, EditorState, TextSelection } from "prosemirror-state";
import { expect, it } from "vitest";
import { insertTable } from "../src/client/editor/commands.ts";
import { schema } from "../src/client/editor/schema.ts";

const stateOf = (...texts: readonly string[]): EditorState => {
  const paragraphs = texts.map((text) => schema.node("paragraph", null, [schema.text(text)]));
  const doc = schema.node("doc", null, paragraphs);
  return EditorState.create({ doc, selection: TextSelection.create(doc, 3) });
};

/** Returns the state after a command. */
function after(state: EditorState, command: Command): EditorState {
  let next = state;
  command(state, (transaction) => {
    next = state.apply(transaction);
  });
  return next;
}

it("inserts a table with the caret in its first cell, and none into it", () => {
  const state = after(stateOf("Text", "More"), insertTable);
  expect(state.selection.$from.node(-1).type.name).toBe("tableHeader");
  expect(state.doc.lastChild?.textContent).toBe("More");
  expect(insertTable(state)).toBe(false);
});

it("says that a table can be inserted without a change of the document", () => {
  const state = stateOf("Text");
  Object.defineProperty(state, "tr", { get: () => expect.fail("The toolbar asks with each key") });
  expect(insertTable(state)).toBe(true);
});
