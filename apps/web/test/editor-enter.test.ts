import { serializeMarkdown } from "markdown-codec";
import { EditorState, TextSelection } from "prosemirror-state";
import type { EditorView } from "prosemirror-view";
import { expect, it } from "vitest";
import { loadTables, onceLoaded } from "../src/client/editor/in-table.ts";
import { editorKeys } from "../src/client/editor/keys.ts";
import { schema } from "../src/client/editor/schema.ts";

/** Presses Enter at the end of a line; returns the document as Markdown, with the caret as `‸`. */
function entered(line: string): string {
  const doc = schema.node("doc", null, [schema.node("paragraph", null, [schema.text(line)])]);
  let state = EditorState.create({ doc, selection: TextSelection.atEnd(doc) });
  const view = {
    get state() {
      return state;
    },
    dispatch: (transaction: typeof state.tr) => {
      state = state.apply(transaction);
    },
    hasFocus: () => true,
  } as unknown as EditorView;
  const event = { key: "Enter", keyCode: 13 } as KeyboardEvent;
  const nothing = (): void => undefined;
  const actions = { focusToolbar: nothing, editLink: nothing, find: nothing, openSource: nothing, done: nothing };
  const taken = editorKeys(actions).some((plugin) => plugin.props.handleKeyDown?.call(plugin, view, event));
  expect(taken).toBe(true);
  return serializeMarkdown(state.tr.insertText("‸").doc.toJSON());
}

it("Enter after a line with bars makes a table, and a new line where the commands of tables are not loaded: no key is lost", {
  meta: { proves: ["web.editor.keys"] },
}, async () => {
  expect(entered("| a | b |")).toBe("| a | b |\n\n‸\n");
  // The part asks for this module, which is there then at once.
  await import("../src/client/editor/table-commands.ts");
  loadTables();
  await expect.poll(() => onceLoaded(() => () => true)(EditorState.create({ schema }))).toBe(true);
  expect(entered("| a | b |")).toBe("| a | b |\n| --- | --- |\n| ‸ |  |\n");
  expect(entered("a | b")).toBe("a | b\n\n‸\n");
});
